#include "tablestore/streams/stream_upkeep.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "dinette/tenancy/upkeep.h"

#include "tablestore/streams/stream_record.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {
namespace {

constexpr std::size_t records_per_step = 4096;

/// The records of a stream that a step removes, and when there is more to do.
struct ExpiredRecords {
  store::StreamPosition end = {};  ///< exclusive
  store::Count count = {};
  base::Jobs::Next next = base::Jobs::done;
};

kv::Result<ExpiredRecords> find_expired(const store::Store& store, const StreamMeta& stream) {
  constexpr std::chrono::minutes least_pause(1);
  const std::chrono::hours lifetime(stream.expiration_hours);
  const base::TimePoint now = store.clock().now();
  ExpiredRecords expired{.next = now + lifetime};
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto records, view.read_stream(store::StreamId{stream.stream}));
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) return expired;
    const auto record = KeptRecord::read(records.record());
    // One that cannot be read is found by the verification, and not removed before others.
    if (record && record->time + lifetime > now) {
      expired.next = std::max(record->time + lifetime, now + least_pause);
      return expired;
    }
    expired.end = records.position().next();
    expired.count += {1, static_cast<std::int64_t>(records.record().size())};
    if (static_cast<std::size_t>(expired.count.rows) == records_per_step) {
      expired.next = base::Jobs::at_once;
      return expired;
    }
  }
}

/// Looks at the stream that the table of that name has now.
kv::Result<base::Jobs::Next> step(store::Store& store, const std::string& name, store::TableId id,
                                  std::uint64_t stream_id) {
  DINETTE_TRY(const store::TablePointer table, store.catalog().open(name));
  if (!table || table->id != id) return base::Jobs::done;
  const auto& stream = table->schema_as<TableSchema>().meta().stream;
  if (!stream || stream->stream != stream_id) return base::Jobs::done;
  DINETTE_TRY(const ExpiredRecords expired, find_expired(store, *stream));
  if (expired.count.rows > 0)
    DINETTE_CHECK(store.trim_stream(store::StreamId{stream_id}, expired.end, expired.count));
  return expired.next;
}

}  // namespace

void remove_expired_records_later(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  const auto& stream = table.schema_as<TableSchema>().meta().stream;
  if (!stream) return;
  tenancy::run_upkeep(store, jobs, "records of stream " + std::to_string(stream->stream), base::Jobs::at_once,
                      [&store, name = table.name, id = table.id, stream_id = stream->stream](
                          const std::stop_token&) { return step(store, name, id, stream_id); });
}

}  // namespace dinette::tablestore
