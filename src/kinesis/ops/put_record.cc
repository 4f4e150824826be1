#include "kinesis/api/put_record.h"

#include <string>

#include "kinesis/streams/new_records.h"
#include "kinesis/streams/sequence_number.h"

// docs/service/kinesis-data-streams.md section 4.
namespace dinette::kinesis::ops {
namespace {

/// Every record has a greater number than those put before it, whether this is asked for or not.
Answer<void> check_ordering(const Context& context, const StreamName& stream, const std::string& number) {
  if (SequenceNumber::parse(number)) return {};
  DINETTE_TRY(const std::string name, name_of(stream));
  return invalid_argument("ExclusiveMinimumSequenceNumber " + number + " used in PutRecord on stream " +
                          name + " under account " + std::string(context.account) + " is invalid.");
}

}  // namespace

Answer<api::PutRecordOutput> put_record(const Context& context, api::PutRecordInput&& input) {
  const StreamName stream{input.stream_name, input.stream_arn};
  DINETTE_TRY(const HashKey hash, hash_key_of(input.partition_key, input.explicit_hash_key));
  if (input.sequence_number_for_ordering)
    DINETTE_CHECK(check_ordering(context, stream, *input.sequence_number_for_ordering));
  const NewRecord record{hash, input.partition_key, input.data.bytes};
  DINETTE_TRY(const auto numbers, put(context, stream, {&record, 1}));
  const SequenceNumber& number = numbers.front();
  return api::PutRecordOutput{shard_id(number.shard), number.text(), api::EncryptionType::none};
}

}  // namespace dinette::kinesis::ops
