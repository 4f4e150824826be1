#include "dynamodb/streams/open_stream.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dynamodb/streams/stream_entry.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> no_such_part(const std::string& what) {
  return base::Failure{
      ApiError{api::ErrorCode::resource_not_found_exception, "Requested resource not found: " + what}};
}

}  // namespace

Answer<std::string> check_stream_arn(std::string_view arn) {
  auto key = stream_key_in_arn(arn);
  if (!key) return validation("Invalid StreamArn");
  return *std::move(key);
}

Answer<api::StreamEntry> open_stream(const store::View& view, std::string_view arn, std::string_view key) {
  DINETTE_STORED(std::optional<api::StreamEntry> stream, read_entry<api::StreamEntry>(view, key));
  if (!stream || stream->stream_arn != arn) return stream_not_found(arn);
  return *std::move(stream);
}

Answer<const api::ShardEntry*> find_shard(const api::StreamEntry& stream, std::string_view shard_id) {
  const auto shard = std::ranges::find(stream.shards, shard_id, &api::ShardEntry::shard_id);
  if (shard == stream.shards.end()) return shard_not_found();
  return &*shard;
}

base::Failure<ApiError> stream_not_found(std::string_view arn) {
  return no_such_part("Stream: " + std::string(arn) + " not found");
}

base::Failure<ApiError> shard_not_found() {
  return no_such_part("Shard does not exist");
}

base::Failure<ApiError> trimmed() {
  return base::Failure{ApiError{api::ErrorCode::trimmed_data_access_exception,
                                "The data you are trying to access has been trimmed"}};
}

}  // namespace dinette::dynamodb
