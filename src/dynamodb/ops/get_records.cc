#include "dynamodb/api/get_records.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/limits.h"
#include "dynamodb/api/record.h"
#include "dynamodb/api/stream_record.h"
#include "dynamodb/streams/open_stream.h"
#include "dynamodb/streams/record_reader.h"
#include "dynamodb/streams/shard_iterator.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/tables/table_state.h"

// docs/service/streams.md section 5.
namespace dinette::dynamodb::ops {
namespace {

Answer<ShardIterator> check_iterator(std::string_view text, codec::Timestamp now) {
  const auto iterator = ShardIterator::parse(text);
  if (!iterator) return validation("Invalid ShardIterator");
  const std::chrono::milliseconds age = now - iterator->issued;
  if (age <= std::chrono::minutes(model::limits::shard_iterator_minutes)) return *iterator;
  return base::Failure{ApiError{api::ErrorCode::expired_iterator_exception, "Shard iterator has expired"}};
}

Answer<api::StreamEntry> open_stream_of(const store::View& view, const ShardIterator& iterator) {
  const auto key = stream_key_in_arn(iterator.stream_arn);
  if (!key) return validation("Invalid ShardIterator");
  return open_stream(view, iterator.stream_arn, *key);
}

}  // namespace

Answer<api::GetRecordsOutput> get_records(const Context& context, api::GetRecordsInput&& input) {
  DINETTE_TRY(ShardIterator iterator, check_iterator(input.shard_iterator, context.now));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_TRY(const api::StreamEntry stream, open_stream_of(view, iterator));
  const auto shard = std::ranges::find(stream.shards, iterator.shard, &records_of);
  if (shard == stream.shards.end()) return shard_not_found();
  DINETTE_STORED(const store::StreamPosition last_trimmed, trimmed_up_to(view, iterator.shard));
  if (last_trimmed.number != 0 && iterator.position <= last_trimmed) return trimmed();

  const RecordReader reader(stream, context.region);
  api::GetRecordsOutput output;
  output.records.emplace();
  const auto limit = static_cast<std::size_t>(input.limit);
  DINETTE_STORED(store::StreamCursor records, view.read_stream(iterator.shard, iterator.position));
  bool at_end = false;
  std::size_t bytes = 0;
  for (std::size_t count = 0;; ++count) {
    DINETTE_STORED(const bool more, records.next());
    at_end = !more;
    if (at_end || count == limit) break;
    DINETTE_STORED(api::Record record, reader.read(iterator.shard, records.position(), records.record()));
    bytes += static_cast<std::size_t>(*record.dynamodb->size_bytes);
    if (count > 0 && bytes > model::limits::stream_page_bytes) break;
    output.records->push_back(std::move(record));
    iterator.position = records.position().next();
  }

  iterator.issued = context.now;
  if (!at_end || is_open(*shard)) output.next_shard_iterator = iterator.text();
  return output;
}

}  // namespace dinette::dynamodb::ops
