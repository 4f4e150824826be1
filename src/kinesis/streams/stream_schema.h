#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/catalog.h"
#include "dinette/store/row.h"

#include "kinesis/api/shard_record.h"
#include "kinesis/api/stream_record.h"
#include "kinesis/streams/hash_key.h"
#include "kinesis/streams/sequence_number.h"

namespace dinette::kinesis {

/// A stream, decoded from the description of its table (FORMAT.md). Immutable.
class StreamSchema final : public store::Schema {
 public:
  /// An open shard.
  struct OpenShard {
    HashKey first;
    HashKey last;
    const api::ShardRecord* record;
  };

  explicit StreamSchema(api::StreamRecord record);
  static std::shared_ptr<const store::Schema> decode(std::string_view description);

  const api::StreamRecord& record() const { return record_; }
  /// Returns the open shards in the order of their hash keys.
  const std::vector<OpenShard>& open_shards() const { return open_; }
  /// Returns the open shard for records of that hash key.
  const api::ShardRecord& shard_of(HashKey hash) const;

 private:
  api::StreamRecord record_;
  std::vector<OpenShard> open_;
};

std::string encode_record(const api::StreamRecord& record);
std::string arn_of(const api::StreamRecord& record);
/// Returns `shardId-000000000000`.
std::string shard_id(std::int64_t number);
inline bool is_open(const api::ShardRecord& shard) {
  return !shard.end.has_value();
}
inline store::StreamId records_of(const api::ShardRecord& shard) {
  return store::StreamId{static_cast<std::uint64_t>(shard.stream_id)};
}
/// Returns the shard of that number, or null.
const api::ShardRecord* find_shard(const api::StreamRecord& stream, std::int64_t number);
/// Returns the number of a place in a shard.
SequenceNumber number_of(const api::StreamRecord& stream, const api::ShardRecord& shard, StreamPlace place);

}  // namespace dinette::kinesis
