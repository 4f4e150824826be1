#include "dynamodb/api/get_shard_iterator.h"

#include <algorithm>
#include <optional>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/streams/open_stream.h"
#include "dynamodb/streams/sequence_number.h"
#include "dynamodb/streams/shard_iterator.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/tables/table_state.h"

// docs/service/streams.md section 4.
namespace dinette::dynamodb::ops {
namespace {

using Type = api::ShardIteratorType;

/// The sequence number of a request whose type wants one; none if it wants none. The service's sentences are
/// not known.
Answer<std::optional<SequenceNumber>> check_sequence_number(Type type,
                                                            const std::optional<std::string>& text) {
  const bool wanted = type == Type::at_sequence_number || type == Type::after_sequence_number;
  if (!wanted && text) {
    return validation("SequenceNumber must not be specified when ShardIteratorType is " +
                      std::string(to_string(type)));
  }
  if (!wanted) return std::optional<SequenceNumber>();
  if (!text) {
    return validation("SequenceNumber is required when ShardIteratorType is " + std::string(to_string(type)));
  }
  const auto number = SequenceNumber::parse(*text);
  if (!number) return validation("Invalid SequenceNumber");
  return number;
}

kv::Result<store::StreamPosition> end_of(const store::View& view, store::StreamId shard) {
  DINETTE_TRY(store::StreamCursor records, view.read_stream(shard, {}, store::Direction::backward));
  DINETTE_TRY(const bool any, records.next());
  return any ? records.position().next() : store::StreamPosition();
}

/// Returns where the iterator begins. Positions below the shard become its beginning.
Answer<store::StreamPosition> position_of(const store::View& view, const api::ShardEntry& shard, Type type,
                                          const std::optional<SequenceNumber>& number) {
  DINETTE_STORED(const store::StreamPosition last_trimmed, trimmed_up_to(view, records_of(shard)));
  const store::StreamPosition oldest = last_trimmed.number == 0 ? last_trimmed : last_trimmed.next();
  if (!number) {
    if (type == Type::trim_horizon) return oldest;
    DINETTE_STORED(const store::StreamPosition end, end_of(view, records_of(shard)));
    return std::max(end, oldest);
  }
  const store::StreamPosition wanted = type == Type::at_sequence_number ? number->at() : number->after();
  if (wanted < oldest) return trimmed();
  return wanted;
}

}  // namespace

Answer<api::GetShardIteratorOutput> get_shard_iterator(const Context& context,
                                                       api::GetShardIteratorInput&& input) {
  DINETTE_TRY(const std::string key, check_stream_arn(input.stream_arn));
  DINETTE_TRY(const auto number, check_sequence_number(input.shard_iterator_type, input.sequence_number));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_TRY(const api::StreamEntry stream, open_stream(view, input.stream_arn, key));
  DINETTE_TRY(const api::ShardEntry* const shard, find_shard(stream, input.shard_id));
  DINETTE_TRY(const store::StreamPosition position,
              position_of(view, *shard, input.shard_iterator_type, number));
  const ShardIterator iterator{stream.stream_arn, records_of(*shard), position, context.now};
  return api::GetShardIteratorOutput{iterator.text()};
}

}  // namespace dinette::dynamodb::ops
