#include "kinesis/streams/stream_upkeep.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/bytes.h"
#include "dinette/base/log.h"
#include "dinette/tenancy/upkeep.h"

#include "kinesis/api/enums.h"
#include "kinesis/api/stream_transition.h"
#include "kinesis/request/context.h"
#include "kinesis/streams/shard_records.h"
#include "kinesis/streams/stored_record.h"
#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {
namespace {

using base::TimePoint;

constexpr std::size_t records_per_step = 4096;
constexpr std::size_t shards_per_step = 64;
constexpr std::size_t streams_per_step = 100;
/// The records of deleted streams. Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId removed_space{2};

std::chrono::milliseconds retention_of(const api::StreamRecord& stream) {
  return std::chrono::hours(stream.retention_hours);
}

/// Returns the table in its present version; null if it is gone.
kv::Result<store::TablePointer> present(store::Store& store, const store::Table& stream) {
  DINETTE_TRY(store::TablePointer table, store.catalog().open(stream.name));
  if (table && table->id != stream.id) table = nullptr;
  return table;
}

/// Looks after one stream in steps, each of which determines again what there is to do.
class StreamUpkeep {
 public:
  StreamUpkeep(store::Store& store, const api::StreamRecord& stream)
      : store_(store), stream_(stream), now_(store.clock().now()), retention_(retention_of(stream)) {}

  /// Returns when there is something to do again.
  kv::Result<TimePoint> step(const store::Table& table) {
    if (std::ranges::any_of(stream_.shards, [this](const auto& shard) { return is_over(shard); })) {
      DINETTE_CHECK(forget_shards(table));
      return base::Jobs::at_once;
    }
    TimePoint next = now_ + retention_;  // of records to come
    DINETTE_TRY(const store::View view, store_.view());
    for (const api::ShardRecord& shard : stream_.shards) {
      if (shard.closed) next = std::min(next, shard.closed->time() + retention_);
      DINETTE_TRY(const std::optional<TimePoint> due, trim(view, records_of(shard)));
      if (due) next = std::min(next, *due);
      if (left_ == 0) return base::Jobs::at_once;
    }
    return next <= now_ ? base::Jobs::at_once : next;
  }

 private:
  bool is_over(const api::ShardRecord& shard) const {
    return shard.closed && shard.closed->time() + retention_ <= now_;
  }

  kv::Result<void> forget_shards(const store::Table& table) {
    std::vector<store::StreamId> forgotten;
    const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      api::StreamRecord record = current.schema_as<StreamSchema>().record();
      forgotten.clear();
      std::erase_if(record.shards, [&](const api::ShardRecord& shard) {
        const bool over = is_over(shard) && forgotten.size() < shards_per_step;
        if (over) forgotten.push_back(records_of(shard));
        return over;
      });
      return store::TableUpdate(encode_record(record));
    };
    DINETTE_CHECK(store_.catalog().update(table, decide));
    for (const store::StreamId shard : forgotten) DINETTE_CHECK(remove_records(store_, shard));
    return {};
  }

  /// Removes the records of a shard that are too old, as far as the step may. Returns when the next one will
  /// be; nothing if there is none.
  kv::Result<std::optional<TimePoint>> trim(const store::View& view, store::StreamId shard) {
    DINETTE_TRY(store::StreamCursor records, view.read_stream(shard));
    std::optional<store::StreamPosition> last;
    std::optional<TimePoint> next;
    store::Count old;
    for (; left_ > 0; --left_) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) break;
      DINETTE_TRY(const StoredRecord record, decode_record(records.record()));
      const TimePoint end = record.arrived.time() + retention_;
      // Once a minute, not for each record.
      if (end > now_) next = std::chrono::ceil<std::chrono::minutes>(end);
      if (next) break;
      last = records.position();
      ++old.rows;
      old.bytes += static_cast<std::int64_t>(records.record().size());
    }
    if (last) DINETTE_CHECK(trim_records(store_, shard, *last, old));
    return next;
  }

  store::Store& store_;
  const api::StreamRecord& stream_;
  const TimePoint now_;
  const std::chrono::milliseconds retention_;
  std::size_t left_ = records_per_step;  ///< records that the step may still look at
};

/// Removes records of deleted streams. Returns true if there may be more.
kv::Result<bool> remove_some_records(store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor notes, view.scan(removed_space, {}, store::Direction::forward));
  DINETTE_TRY(const bool any, notes.next());
  if (!any) return false;
  const std::string key(notes.key());
  std::string ids(notes.value());
  for (std::size_t i = 0; i < shards_per_step && ids.size() >= sizeof(std::uint64_t); ++i) {
    const std::size_t last = ids.size() - sizeof(std::uint64_t);
    const store::StreamId shard{base::load_big_endian<std::uint64_t>(ids.data() + last)};
    DINETTE_CHECK(remove_records(store, shard));
    ids.resize(last);
  }
  if (ids.size() < sizeof(std::uint64_t))
    DINETTE_CHECK(erase_entry(store, removed_space, key));
  else
    DINETTE_CHECK(put_entry(store, removed_space, key, kv::Value(ids)));
  return true;
}

void remove_records_later(store::Store& store, base::Jobs& jobs) {
  tenancy::run_upkeep(store, jobs, "records of deleted streams", base::Jobs::at_once,
                      [&store](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_TRY(const bool more, remove_some_records(store));
                        return more ? base::Jobs::Next(base::Jobs::at_once) : base::Jobs::done;
                      });
}

std::string job_name(std::string_view work, const store::Table& stream) {
  return std::string(work) + " of stream " + stream.name + " " + std::to_string(stream.id);
}

void resume(store::Store& store, base::Jobs& jobs) {
  remove_records_later(store, jobs);
  jobs.add(base::Jobs::at_once,
           [&store, &jobs, after = std::string()](const std::stop_token&) mutable -> base::Jobs::Next {
             const auto streams = store.catalog().list(after, streams_per_step);
             if (!streams) {
               base::log(base::LogLevel::error, "unfinished work could not be looked for",
                         {{"reason", streams.error().message}});
               return base::Jobs::done;
             }
             for (const store::TablePointer& stream : *streams) {
               keep_stream(store, jobs, *stream);
               finish_deletion_later(store, jobs, *stream);
             }
             if (streams->size() < streams_per_step) return base::Jobs::done;
             after = streams->back()->name;
             return base::Jobs::at_once;
           });
}

}  // namespace

void keep_stream(store::Store& store, base::Jobs& jobs, const store::Table& stream) {
  const auto retention = retention_of(stream.schema_as<StreamSchema>().record());
  const auto step = [&store, stream](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
    DINETTE_TRY(const store::TablePointer table, present(store, stream));
    if (!table) return base::Jobs::done;
    DINETTE_TRY(const TimePoint next,
                StreamUpkeep(store, table->schema_as<StreamSchema>().record()).step(*table));
    return base::Jobs::Next(next);
  };
  tenancy::run_upkeep(store, jobs, job_name("retention", stream), base::Jobs::at_once, step, retention);
}

kv::Result<void> remove_stream(store::Store& store, base::Jobs& jobs, const store::Table& stream) {
  const auto decide = [](const store::Table& current) {
    std::string key;
    base::append_big_endian(key, static_cast<std::uint64_t>(current.id));
    std::string ids;
    for (const api::ShardRecord& shard : current.schema_as<StreamSchema>().record().shards)
      base::append_big_endian(ids, static_cast<std::uint64_t>(shard.stream_id));
    store::TableDrop drop;
    drop.entries.push_back({removed_space, key, kv::Value(ids)});
    return std::optional(std::move(drop));
  };
  DINETTE_CHECK(store.catalog().drop(stream, decide));
  remove_records_later(store, jobs);
  return {};
}

void finish_deletion_later(store::Store& store, base::Jobs& jobs, const store::Table& stream) {
  const auto& transition = stream.schema_as<StreamSchema>().record().transition;
  if (!transition || transition->status != api::StreamStatus::deleting) return;
  tenancy::run_upkeep(store, jobs, job_name("deletion", stream), transition->until.time(),
                      [&store, &jobs, stream](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_CHECK(remove_stream(store, jobs, stream));
                        return base::Jobs::done;
                      });
}

void resume(tenancy::World& world) {
  const auto untouched = world.untouched();
  if (untouched && *untouched) return;
  for (store::Store* const store : world.stores(face_id)) resume(*store, world.jobs());
}

}  // namespace dinette::kinesis
