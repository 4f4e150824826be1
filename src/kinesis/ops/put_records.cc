#include "kinesis/api/put_records.h"

#include <string>
#include <vector>

#include "kinesis/api/limits.h"
#include "kinesis/streams/new_records.h"

// docs/service/kinesis-data-streams.md section 4.
namespace dinette::kinesis::ops {
namespace {

Answer<void> check_size(const api::PutRecordsInput& input) {
  std::size_t size = 0;
  for (const api::PutRecordsRequestEntry& entry : input.records)
    size += entry.partition_key.size() + entry.data.bytes.size();
  if (size <= model::limits::put_records_bytes) return {};
  constexpr std::size_t mebibyte = 1024 * 1024;
  return invalid_argument("Records size exceeds " +
                          std::to_string(model::limits::put_records_bytes / mebibyte) + " MB limit");
}

}  // namespace

Answer<api::PutRecordsOutput> put_records(const Context& context, api::PutRecordsInput&& input) {
  DINETTE_CHECK(check_size(input));
  std::vector<NewRecord> records;
  for (const api::PutRecordsRequestEntry& entry : input.records) {
    DINETTE_TRY(const HashKey hash, hash_key_of(entry.partition_key, entry.explicit_hash_key));
    records.push_back({hash, entry.partition_key, entry.data.bytes});
  }
  DINETTE_TRY(const auto numbers, put(context, {input.stream_name, input.stream_arn}, records));
  api::PutRecordsOutput output;
  for (const SequenceNumber& number : numbers) {
    api::PutRecordsResultEntry& entry = output.records.emplace_back();
    entry.sequence_number = number.text();
    entry.shard_id = shard_id(number.shard);
  }
  output.encryption_type = api::EncryptionType::none;
  return output;
}

}  // namespace dinette::kinesis::ops
