#include "dynamodb/streams/stream_entry.h"

#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/base/bytes.h"
#include "dinette/store/write.h"

#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

constexpr std::string_view stream_part = "stream/";

/// Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId trim_marks{4};

}  // namespace

std::string stream_key(std::string_view table_name, std::string_view label) {
  return std::string(table_name).append("/").append(stream_part).append(label);
}

std::optional<std::string> stream_key_in_arn(std::string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn || arn->service != "dynamodb") return std::nullopt;
  const auto table = model::parse_table_resource(arn->resource);
  const bool names_stream =
      table && table->part.starts_with(stream_part) && table->part.size() > stream_part.size();
  if (!names_stream) return std::nullopt;
  return stream_key(table->name, table->part.substr(stream_part.size()));
}

api::StreamStatus status_at(const api::StreamEntry& stream, codec::Timestamp now) {
  using enum api::StreamStatus;
  if (stream.disabled) return now < *stream.disabled ? disabling : disabled;
  return is_during(now, stream.created, stream.enabled) ? enabling : enabled;
}

std::string trim_mark_key(store::StreamId shard) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint64_t>(shard));
  return key;
}

store::WriteTarget trim_mark(const std::string& key) {
  return store::WriteTarget::entry(trim_marks, key);
}

kv::Value trim_mark_value(store::StreamPosition up_to) {
  std::string value;
  up_to.append_to(value);
  return kv::Value(value);
}

kv::Result<store::StreamPosition> trimmed_up_to(const store::View& view, store::StreamId shard) {
  DINETTE_TRY(const auto mark, view.read(trim_marks, trim_mark_key(shard)));
  if (!mark) return store::StreamPosition();
  if (mark->size() != store::StreamPosition::encoded_size)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the trim mark of a stream cannot be read"}};
  return store::StreamPosition::at_end_of(mark->view());
}

}  // namespace dinette::dynamodb
