#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"
#include "dinette/store/write.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/shard_entry.h"
#include "dynamodb/api/stream_entry.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/streams/sequence_number.h"
#include "dynamodb/tasks/kept_entry.h"

namespace dinette::dynamodb {

/// Returns the key of a stream. Keys are in the order of ARNs.
std::string stream_key(std::string_view table_name, std::string_view label);
/// Returns the key in the ARN of a stream, in any account; nothing for any other text.
std::optional<std::string> stream_key_in_arn(std::string_view arn);

/// What is kept of each stream in addition to its records. It is written together with the table that it
/// follows.
template <>
struct KeptEntry<api::StreamEntry> {
  static constexpr store::SpaceId space{3};
  static constexpr std::string_view name = "a stream";
  static std::string key(const api::StreamEntry& stream) {
    return stream_key(stream.table_name, stream.label);
  }
  static bool is_whole(const api::StreamEntry&) { return true; }
};

api::StreamStatus status_at(const api::StreamEntry& stream, codec::Timestamp now);

inline store::StreamId records_of(const api::ShardEntry& shard) {
  return store::StreamId{static_cast<std::uint64_t>(shard.stream_id)};
}
inline bool is_open(const api::ShardEntry& shard) {
  return !shard.closed.has_value();
}

/// Returns the position up to which records of a shard were removed because of their age; {} for none.
kv::Result<store::StreamPosition> trimmed_up_to(const store::View& view, store::StreamId shard);
/// Returns the place in the store, for the code that trims.
store::WriteTarget trim_mark(const std::string& key);
std::string trim_mark_key(store::StreamId shard);
kv::Value trim_mark_value(store::StreamPosition up_to);

}  // namespace dinette::dynamodb
