#include "kinesis/api/get_shard_iterator.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_iterator.h"
#include "kinesis/streams/shard_records.h"

// docs/service/kinesis-data-streams.md section 5.
namespace dinette::kinesis::ops {
namespace {

/// A shard and the stream that it is of.
struct ShardOf {
  const api::StreamRecord& stream;
  const api::ShardRecord& shard;
};

base::Failure<ApiError> no_such_shard(const Context& context, const std::string& stream,
                                      std::int64_t number) {
  return refusal(api::ErrorCode::resource_not_found_exception,
                 "Shard " + shard_id(number) + " in stream " + stream + " under account " +
                     std::string(context.account) + " does not exist");
}

base::Failure<ApiError> wrong_number_of_members(api::ShardIteratorType type, std::string_view end) {
  return invalid_argument(
      "Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or (2) "
      "TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified " +
      std::string(to_string(type)) + std::string(end));
}

/// Returns the place of a number that a client has got from this shard.
Answer<StreamPlace> place_of(const Context& context, const ShardOf& of, const std::string& text) {
  const auto number = SequenceNumber::parse(text);
  const auto invalid = [&](std::string_view end) {
    return invalid_argument("StartingSequenceNumber " + text + " used in GetShardIterator on shard " +
                            shard_id(of.shard.number) + " in stream " + of.stream.name + " under account " +
                            std::string(context.account) + " is invalid" + std::string(end));
  };
  if (!number) return invalid(".");
  if (std::cmp_not_equal(number->shard, of.shard.number)) {
    return invalid_argument("Invalid StartingSequenceNumber. It encodes " + shard_id(number->shard) +
                            ", while it was used in a call to a shard with " + shard_id(of.shard.number));
  }
  if (number->created != number_of(of.stream, of.shard, {}).created)
    return invalid(" because it did not come from this stream.");
  return number->place;
}

Answer<void> place_at_time(const Context& context, const std::optional<aws::Timestamp>& moment,
                           ShardIterator& iterator) {
  if (!moment) {
    return invalid_argument(
        "Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. Current request has no "
        "timestamp parameter.");
  }
  const aws::Timestamp now(context.now);
  if (*moment > now) {
    return invalid_argument(
        "The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. "
        "timestampInMillis: " +
        std::to_string(moment->milliseconds) +
        ", currentTimestampInMillis: " + std::to_string(now.milliseconds));
  }
  iterator.not_before = *moment;
  return {};
}

/// Has the iterator begin where the request says.
Answer<void> place(const Context& context, const api::GetShardIteratorInput& input, const ShardOf& of,
                   ShardIterator& iterator) {
  using enum api::ShardIteratorType;
  const api::ShardIteratorType type = input.shard_iterator_type;
  const bool by_number = type == at_sequence_number || type == after_sequence_number;
  if (input.starting_sequence_number && (type == trim_horizon || type == latest))
    return wrong_number_of_members(type, " and also a StartingSequenceNumber.");
  if (by_number && !input.starting_sequence_number)
    return wrong_number_of_members(type, " and no StartingSequenceNumber.");
  if (type == at_timestamp) return place_at_time(context, input.timestamp, iterator);
  if (type == latest) {
    DINETTE_KINESIS_STORED(const store::View view, context.store.view());
    DINETTE_KINESIS_STORED(const store::StreamPosition last, last_position(view, of.shard));
    iterator.position = last.next();
  }
  if (by_number) {
    DINETTE_TRY(const StreamPlace place, place_of(context, of, *input.starting_sequence_number));
    iterator.position = type == at_sequence_number ? place.at() : place.position.next();
  }
  return {};
}

}  // namespace

Answer<api::GetShardIteratorOutput> get_shard_iterator(const Context& context,
                                                       api::GetShardIteratorInput&& input) {
  const StreamName named{input.stream_name, input.stream_arn};
  DINETTE_TRY(const std::string name, name_of(named));
  DINETTE_TRY(const std::int64_t number, shard_number(context, name, input.shard_id));
  DINETTE_TRY(const OpenStream stream, find_stream(context, name));
  if (!stream.table) return no_such_shard(context, name, number);
  const api::ShardRecord* const shard = find_shard(stream.record(), number);
  const bool creating = state_at(stream.record(), context.now).status == api::StreamStatus::creating;
  if (!shard || creating) return no_such_shard(context, name, number);
  if (input.stream_arn) DINETTE_CHECK(open_stream(context, named));
  ShardIterator iterator;
  iterator.stream = name;
  iterator.table = stream.table->id;
  iterator.shard = number;
  iterator.issued = context.now;
  DINETTE_CHECK(place(context, input, {stream.record(), *shard}, iterator));
  return api::GetShardIteratorOutput{iterator.text()};
}

}  // namespace dinette::kinesis::ops
