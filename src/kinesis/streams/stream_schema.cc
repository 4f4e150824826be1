#include "kinesis/streams/stream_schema.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dinette/aws/kept_json.h"
#include "dinette/aws/region.h"

#include "kinesis/api/codec.h"

namespace dinette::kinesis {

StreamSchema::StreamSchema(api::StreamRecord record) : record_(std::move(record)) {
  for (const api::ShardRecord& shard : record_.shards) {
    if (!is_open(shard)) continue;
    open_.push_back({HashKey::parse(shard.first_hash).value_or(HashKey()),
                     HashKey::parse(shard.last_hash).value_or(HashKey()), &shard});
  }
  std::ranges::sort(open_, {}, &OpenShard::first);
}

std::shared_ptr<const store::Schema> StreamSchema::decode(std::string_view description) {
  auto record = aws::decode_kept<api::StreamRecord>(description, codec::Decoder());
  if (!record) return nullptr;
  auto schema = std::make_shared<const StreamSchema>(*std::move(record));
  const bool covers = !schema->open_.empty() && schema->open_.front().first == HashKey();
  return covers ? schema : nullptr;
}

const api::ShardRecord& StreamSchema::shard_of(HashKey hash) const {
  return *std::prev(std::ranges::upper_bound(open_, hash, {}, &OpenShard::first))->record;
}

std::string encode_record(const api::StreamRecord& record) {
  return aws::encode_kept(record);
}

std::string arn_of(const api::StreamRecord& record) {
  return "arn:" + std::string(aws::partition_of(record.region)) + ":kinesis:" + record.region + ":" +
         record.account + ":stream/" + record.name;
}

std::string shard_id(std::int64_t number) {
  constexpr std::size_t width = 12;
  const std::string digits = std::to_string(number);
  return "shardId-" + std::string(width - std::min(width, digits.size()), '0') + digits;
}

const api::ShardRecord* find_shard(const api::StreamRecord& stream, std::int64_t number) {
  const auto found = std::ranges::find(stream.shards, number, &api::ShardRecord::number);
  return found == stream.shards.end() ? nullptr : &*found;
}

SequenceNumber number_of(const api::StreamRecord& stream, const api::ShardRecord& shard, StreamPlace place) {
  return {stream.created.milliseconds / 1000, place, static_cast<std::uint32_t>(shard.number)};
}

}  // namespace dinette::kinesis
