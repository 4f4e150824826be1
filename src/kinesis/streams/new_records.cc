#include "kinesis/streams/new_records.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/store/write.h"

#include "kinesis/api/limits.h"
#include "kinesis/streams/stored_record.h"

namespace dinette::kinesis {
namespace {

/// The records of a request that go to one shard.
struct ShardShare {
  const api::ShardRecord* shard;
  std::string key;                   ///< that puts into this shard lock
  std::vector<std::size_t> records;  ///< their positions in the request
  std::vector<store::StreamAppend> appends;
};

std::string key_of(const api::ShardRecord& shard) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint32_t>(shard.number));
  return key;
}

std::vector<ShardShare> shares_of(const StreamSchema& stream, std::span<const NewRecord> records,
                                  std::span<const kv::Value> values) {
  std::vector<ShardShare> shares;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const api::ShardRecord* const shard = &stream.shard_of(records[i].hash);
    auto share = std::ranges::find(shares, shard, &ShardShare::shard);
    if (share == shares.end()) share = shares.insert(share, {shard, key_of(*shard), {}, {}});
    share->records.push_back(i);
    share->appends.push_back({records_of(*shard), values[i]});
  }
  return shares;
}

std::vector<SequenceNumber> numbers_of(const api::StreamRecord& stream, const std::vector<ShardShare>& shares,
                                       std::size_t count, kv::CommitNumber commit) {
  std::vector<SequenceNumber> numbers(count);
  std::uint32_t index = 0;
  for (const ShardShare& share : shares) {
    for (const std::size_t record : share.records) {
      const StreamPlace place{{commit, index++}};
      numbers[record] = number_of(stream, *share.shard, place);
    }
  }
  return numbers;
}

/// Appends to all shares. Returns nothing if the stream was changed since it was opened.
Answer<std::optional<kv::CommitNumber>> append(const Context& context, const OpenStream& stream,
                                               const std::vector<ShardShare>& shares) {
  std::vector<store::WriteTarget> targets;
  for (const ShardShare& share : shares) targets.push_back(store::WriteTarget::row(*stream.table, share.key));
  const auto decide = [&](const store::Rows&, store::RowChanges changes) {
    for (std::size_t i = 0; i < shares.size(); ++i) changes[i].records = shares[i].appends;
    return true;
  };
  DINETTE_KINESIS_STORED(const auto written, context.store.write(targets, decide));
  if (written.outcome != store::WriteOutcome::applied) return std::optional<kv::CommitNumber>();
  return std::optional(written.commit);
}

Answer<void> check_sizes(const api::StreamRecord& stream, std::span<const NewRecord> records) {
  const std::size_t most = static_cast<std::size_t>(stream.max_record_kib) * 1024;
  for (const NewRecord& record : records) {
    if (record.partition_key.size() + record.data.size() <= most) continue;
    return refusal(
        api::ErrorCode::validation_exception,
        "1 validation error detected: Value at 'data' failed to satisfy constraint: Member must have "
        "length less than or equal to " +
            std::to_string(most));
  }
  return {};
}

}  // namespace

Answer<HashKey> hash_key_of(std::string_view partition_key, const std::optional<std::string>& explicit_key) {
  if (!explicit_key) return HashKey::of_partition_key(partition_key);
  const auto hash = HashKey::parse(*explicit_key);
  if (hash) return *hash;
  return invalid_argument(
      "Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was " +
      *explicit_key);
}

Answer<std::vector<SequenceNumber>> put(const Context& context, const StreamName& name,
                                        std::span<const NewRecord> records) {
  std::vector<kv::Value> values;
  values.reserve(records.size());
  for (const NewRecord& record : records)
    values.push_back(
        encode_record(StoredRecord{context.now, record.hash, record.partition_key, record.data}));
  for (;;) {
    DINETTE_TRY(const OpenStream stream, open_stream(context, name));
    if (state_at(stream.record(), context.now).status == api::StreamStatus::creating)
      return stream_not_found(stream.record().name, context.account);
    DINETTE_CHECK(check_sizes(stream.record(), records));
    const auto shares = shares_of(stream.schema(), records, values);
    DINETTE_TRY(const auto commit, append(context, stream, shares));
    if (commit) return numbers_of(stream.record(), shares, records.size(), *commit);
  }
}

}  // namespace dinette::kinesis
