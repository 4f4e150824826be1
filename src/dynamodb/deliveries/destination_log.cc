#include "dynamodb/deliveries/destination_log.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dinette/base/bytes.h"

#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/deliveries/kinesis_record.h"
#include "dynamodb/streams/sequence_number.h"

namespace dinette::dynamodb {
namespace {

/// The first place after the record of that number; the beginning for "".
store::StreamPosition place_after(std::string_view number) {
  const auto parsed = SequenceNumber::parse(number);
  return parsed ? parsed->after() : store::StreamPosition();
}

}  // namespace

std::string KeptEntry<api::DestinationLog>::key(const api::DestinationLog& log) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint64_t>(log.log_id));
  return key;
}

api::DestinationLog new_log(const api::TableRecord& record, const api::KinesisDestination& destination) {
  api::DestinationLog log;
  log.log_id = *destination.log_id;
  log.stream_arn = destination.stream_arn;
  log.table_name = record.table_name;
  log.table_id = record.table_id;
  log.region = record.region;
  for (const auto& element : record.key_schema) log.key_names.push_back(element.attribute_name);
  std::ranges::sort(log.key_names);
  return log;
}

store::StreamId records_of(const api::DestinationLog& log) {
  return store::StreamId{static_cast<std::uint64_t>(log.log_id)};
}

kv::Result<std::optional<std::vector<deliveries::Shard>>> LogSource::shards() {
  return std::optional(std::vector<deliveries::Shard>{{std::string(shard), {}}});
}

kv::Result<std::string> LogSource::place_of(const std::string&, deliveries::StartingPosition,
                                            base::TimePoint) {
  return std::string();
}

kv::Result<deliveries::RecordPage> LogSource::read(const std::string&, const std::string& after,
                                                   std::size_t most, std::size_t most_bytes) {
  const store::StreamPosition begin = place_after(after);
  while (!returned_.empty() && returned_.back().position >= begin)
    returned_.pop_back();  // by one that failed
  DINETTE_TRY(const store::View view, store_.view());
  DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(log_), begin));
  deliveries::RecordPage page;
  std::size_t bytes = 0;
  while (page.records.size() < most && (page.records.empty() || bytes < most_bytes)) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) {
      DINETTE_TRY(const auto log, read_entry<api::DestinationLog>(view, key_of(log_)));
      page.at_end = true;
      page.closed = !log || log->ended;
      break;
    }
    DINETTE_TRY(deliveries::Record record, kinesis_record(log_, records.position(), records.record()));
    bytes += record.payload.size();
    returned_.push_back({records.position(), static_cast<std::int64_t>(records.record().size())});
    page.records.push_back(std::move(record));
  }
  return page;
}

kv::Result<void> LogSource::remove_up_to(std::string_view number) {
  const store::StreamPosition end = place_after(number);
  const auto left = std::ranges::find_if(
      returned_, [&](store::StreamPosition position) { return position >= end; }, &Returned::position);
  store::Count removed;
  for (auto one = returned_.begin(); one != left; ++one) {
    ++removed.rows;
    removed.bytes += one->bytes;
  }
  if (removed.rows == 0) return {};
  DINETTE_CHECK(store_.trim_stream(records_of(log_), end, removed));
  returned_.erase(returned_.begin(), left);
  return {};
}

}  // namespace dinette::dynamodb
