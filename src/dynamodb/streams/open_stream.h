#pragma once

#include <string>
#include <string_view>

#include "dinette/store/scan.h"

#include "dynamodb/api/shard_entry.h"
#include "dynamodb/api/stream_entry.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Returns the stream's key, or fails with `Invalid StreamArn` unless the text has the form of a stream's ARN
/// (docs/service/streams.md sections 2 to 4).
Answer<std::string> check_stream_arn(std::string_view arn);

/// The stream of that ARN, whose key is `key`, or `Requested resource not found: Stream: ...`.
Answer<api::StreamEntry> open_stream(const store::View& view, std::string_view arn, std::string_view key);

/// Returns a shard of the stream, or `Requested resource not found: Shard does not exist`.
Answer<const api::ShardEntry*> find_shard(const api::StreamEntry& stream, std::string_view shard_id);

base::Failure<ApiError> stream_not_found(std::string_view arn);
base::Failure<ApiError> shard_not_found();
/// Returns TrimmedDataAccessException: the next records of a reader were removed because of their age.
base::Failure<ApiError> trimmed();

}  // namespace dinette::dynamodb
