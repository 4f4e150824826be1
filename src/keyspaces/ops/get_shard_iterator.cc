#include "keyspaces/api/get_shard_iterator.h"

#include <chrono>

#include "keyspaces/definitions/streams.h"

// docs/service-keyspaces/control-plane.md section 5.
namespace dinette::keyspaces::ops {
namespace {

using Type = api::ShardIteratorType;

Answer<kv::CommitPosition> first_position(const Context& context, const api::GetShardIteratorInput& input,
                                          const cql::ChangeStreamDescription& stream) {
  const Type type = input.shard_iterator_type;
  const bool by_number = type == Type::at_sequence_number || type == Type::after_sequence_number;
  if (by_number != input.sequence_number.has_value()) {
    return not_valid("A sequenceNumber is needed for AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER alone.",
                     "InvalidFormat");
  }
  if (type == Type::latest) {
    DINETTE_KEYSPACES_DEFINED(const auto end, cql::end_of_changes(context.scope, stream));
    return end.value_or(kv::CommitPosition());
  }
  if (!by_number) return kv::CommitPosition();
  const auto position = position_of(*input.sequence_number);
  if (!position) return not_valid("Invalid sequence number: " + *input.sequence_number, "InvalidFormat");
  return type == Type::at_sequence_number ? *position : position->next();
}

}  // namespace

Answer<api::GetShardIteratorOutput> get_shard_iterator(const Context& context,
                                                       api::GetShardIteratorInput&& input) {
  DINETTE_TRY(const auto stream, open_stream(context, input.stream_arn));
  if (input.shard_id != shard_id(stream))
    return not_found("Shard " + input.shard_id + " does not exist in stream " + stream.arn, stream.arn);
  ShardIterator iterator{.stream_arn = stream.arn};
  DINETTE_TRY(iterator.position, first_position(context, input, stream));
  iterator.issued = std::chrono::floor<std::chrono::seconds>(context.now.time_since_epoch()).count();
  return api::GetShardIteratorOutput{iterator.text()};
}

}  // namespace dinette::keyspaces::ops
