#include "dynamodb/streams/change_record.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "dinette/base/bytes.h"

#include "dynamodb/codec/record.h"
#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb {
namespace {

using api::OperationType;
using api::StreamViewType;

// Kept on disk (FORMAT.md). The formats differ in the unit of the moment.
constexpr char stream_format = 1;  // milliseconds
constexpr char log_format = 2;     // microseconds
constexpr char by_expiry = 4;
constexpr char in_microseconds = 8;
constexpr std::size_t event_at = 1;
constexpr std::size_t moment_at = 2;
constexpr std::size_t sizes_at = moment_at + sizeof(std::uint64_t);
constexpr std::size_t parts = 3;
constexpr std::size_t header_size = sizes_at + parts * sizeof(std::uint32_t);

constexpr OperationType events[] = {OperationType::insert, OperationType::modify, OperationType::remove};

/// Returns the index in `events`, and by_expiry.
int event_of(const ItemImage& before, const ItemImage& after, WriteOrigin origin) {
  const int event = !before.exists() ? 0 : after.exists() ? 1 : 2;
  return event | (origin.expiry ? by_expiry : 0);
}

bool shows_new(StreamViewType type) {
  return type == StreamViewType::new_image || type == StreamViewType::new_and_old_images;
}
bool shows_old(StreamViewType type) {
  return type == StreamViewType::old_image || type == StreamViewType::new_and_old_images;
}

std::vector<std::string_view> key_names(const TableSchema& schema) {
  std::vector<std::string_view> names{schema.hash_key().name};
  if (schema.range_key()) names.push_back(schema.range_key()->name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string header(char format, int event, std::int64_t moment, std::string_view keys,
                   std::string_view new_image, std::string_view old_image) {
  std::string header{format, static_cast<char>(event)};
  base::append_big_endian(header, static_cast<std::uint64_t>(moment));
  for (const std::string_view part : {keys, new_image, old_image})
    base::append_big_endian(header, static_cast<std::uint32_t>(part.size()));
  return header;
}

base::Failure<kv::Error> corrupt() {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a record of a stream cannot be read"}};
}

kv::Result<void> append_to_stream(store::RowChange& change, const TableSchema& schema,
                                  std::string_view row_key, const ItemImage& before, const ItemImage& after,
                                  WriteOrigin origin) {
  const StreamSchema& stream = *schema.stream();
  const std::string_view new_image = shows_new(stream.view_type) ? after.record.view() : std::string_view();
  const std::string_view old_image = shows_old(stream.view_type) ? before.record.view() : std::string_view();
  kv::Value keys;
  if (new_image.empty() && old_image.empty()) {
    const std::string_view any = (after.exists() ? after : before).record.view();
    DINETTE_TRY(const model::Item attributes, codec::read_attributes(any, key_names(schema)));
    keys = codec::make_record(attributes, model::size_in_bytes(attributes));
  }
  const std::string head =
      header(stream_format, event_of(before, after, origin), codec::Timestamp(origin.moment).milliseconds,
             keys.view(), new_image, old_image);
  change.records.push_back(
      {stream.shard_of(row_key), kv::Value::join({head, keys.view(), new_image, old_image})});
  return {};
}

void append_to_log(store::RowChange& change, const DestinationSchema& destination, const ItemImage& before,
                   const ItemImage& after, WriteOrigin origin) {
  const int event = event_of(before, after, origin) | (destination.microseconds ? in_microseconds : 0);
  const std::string_view new_image = after.record.view();
  const std::string_view old_image = before.record.view();
  const std::string head =
      header(log_format, event, origin.moment.time_since_epoch().count(), {}, new_image, old_image);
  change.records.push_back({destination.log, kv::Value::join({head, new_image, old_image})});
}

base::TimePoint time_of_change(char format, std::int64_t number) {
  if (format == log_format) return base::TimePoint(std::chrono::microseconds(number));
  return codec::Timestamp(number).time();
}

}  // namespace

kv::Result<void> record_change(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                               const ItemImage& before, const ItemImage& after, WriteOrigin origin) {
  const DestinationSchema* const destination = schema.destination();
  if ((!schema.stream() && !destination) || origin.filling) return {};
  const bool changed = before.record != after.record;
  if (schema.stream() && changed)
    DINETTE_CHECK(append_to_stream(change, schema, row_key, before, after, origin));
  if (destination && (changed || (origin.in_transaction && after.exists())))
    append_to_log(change, *destination, before, after, origin);
  return {};
}

// docs/service/global-tables.md section 1.
kv::Result<void> note_version(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                              const ItemImage& before, const ItemImage& after, const kv::Value* mark,
                              WriteOrigin origin) {
  const ReplicationSchema& replication = *schema.replication();
  const auto note = [&](const ItemVersion& version) {
    change.entries.push_back(
        {.area = store::Area::marks(), .key = std::string(row_key), .value = encode_mark(version)});
  };
  if (origin.replicated) {
    if (!origin.replicated->region.empty()) note(*origin.replicated);
    return {};
  }
  if (replication.strong || before.record == after.record) return {};
  ItemVersion version{origin.moment + origin.skew, replication.region};
  if (mark) {
    // A write is later than what it replaces, whatever the clocks say: else the regions would not agree.
    DINETTE_TRY(const ItemVersion former, read_mark(mark->view()));
    version.moment = std::max(version.moment, former.moment + std::chrono::microseconds(1));
  }
  note(version);
  change.records.push_back(
      {replication.log, encode_change({version, origin.moment, row_key, after.record.view()})});
  return {};
}

kv::Result<ChangeRecord> read_change(std::string_view record) {
  if (record.size() < header_size) return corrupt();
  const char format = record.front();
  if (format != stream_format && format != log_format) return corrupt();
  const auto event = static_cast<std::size_t>(record[event_at] & ~(by_expiry | in_microseconds));
  if (event >= std::size(events)) return corrupt();
  ChangeRecord change;
  change.event = events[event];
  change.expiry = (record[event_at] & by_expiry) != 0;
  change.microseconds = (record[event_at] & in_microseconds) != 0;
  change.moment = time_of_change(
      format, static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(record.data() + moment_at)));
  std::string_view rest = record.substr(header_size);
  const char* size_at = record.data() + sizes_at;
  for (std::string_view* part : {&change.keys, &change.new_image, &change.old_image}) {
    const auto size = base::load_big_endian<std::uint32_t>(size_at);
    size_at += sizeof size;
    if (size > rest.size()) return corrupt();
    *part = rest.substr(0, size);
    if (size != 0 && !codec::is_record(*part)) return corrupt();
    rest.remove_prefix(size);
  }
  return change;
}

}  // namespace dinette::dynamodb
