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

// Kept on disk (FORMAT.md).
constexpr char change_format = 1;
constexpr char by_expiry = 4;
constexpr std::size_t event_at = 1;
constexpr std::size_t moment_at = 2;
constexpr std::size_t sizes_at = moment_at + sizeof(std::uint64_t);
constexpr std::size_t parts = 3;
constexpr std::size_t header_size = sizes_at + parts * sizeof(std::uint32_t);

constexpr OperationType events[] = {OperationType::insert, OperationType::modify, OperationType::remove};

std::size_t event_of(const ItemImage& before, const ItemImage& after) {
  if (!before.exists()) return 0;
  return after.exists() ? 1 : 2;
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

std::string header(std::size_t event, WriteOrigin origin, std::string_view keys, std::string_view new_image,
                   std::string_view old_image) {
  std::string header{change_format, static_cast<char>(event | (origin.expiry ? by_expiry : 0))};
  base::append_big_endian(header, static_cast<std::uint64_t>(codec::Timestamp(origin.moment).milliseconds));
  for (const std::string_view part : {keys, new_image, old_image})
    base::append_big_endian(header, static_cast<std::uint32_t>(part.size()));
  return header;
}

base::Failure<kv::Error> corrupt() {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a record of a stream cannot be read"}};
}

}  // namespace

kv::Result<void> record_change(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                               const ItemImage& before, const ItemImage& after, WriteOrigin origin) {
  const StreamSchema* const stream = schema.stream();
  if (!stream || before.record == after.record) return {};
  const std::string_view new_image = shows_new(stream->view_type) ? after.record.view() : std::string_view();
  const std::string_view old_image = shows_old(stream->view_type) ? before.record.view() : std::string_view();
  kv::Value keys;
  if (new_image.empty() && old_image.empty()) {
    const std::string_view any = (after.exists() ? after : before).record.view();
    DINETTE_TRY(const model::Item attributes, codec::read_attributes(any, key_names(schema)));
    keys = codec::make_record(attributes, model::size_in_bytes(attributes));
  }
  const std::string head = header(event_of(before, after), origin, keys.view(), new_image, old_image);
  change.records.push_back(
      {stream->shard_of(row_key), kv::Value::join({head, keys.view(), new_image, old_image})});
  return {};
}

kv::Result<ChangeRecord> read_change(std::string_view record) {
  if (record.size() < header_size || record.front() != change_format) return corrupt();
  const auto event = static_cast<std::size_t>(record[event_at] & ~by_expiry);
  if (event >= std::size(events)) return corrupt();
  ChangeRecord change;
  change.event = events[event];
  change.expiry = (record[event_at] & by_expiry) != 0;
  change.moment = codec::Timestamp(
      static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(record.data() + moment_at)));
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
