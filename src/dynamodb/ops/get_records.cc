#include "dynamodb/api/get_records.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/algorithm/hex.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/identity.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/record.h"
#include "dynamodb/api/stream_record.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/open_stream.h"
#include "dynamodb/streams/sequence_number.h"
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

/// Returns 32 digits, different for each record.
std::string event_id(store::StreamId shard, store::StreamPosition position) {
  std::string place;
  base::append_big_endian(place, static_cast<std::uint64_t>(shard));
  position.append_to(place);
  std::string id;
  boost::algorithm::hex_lower(base::md5(place), std::back_inserter(id));
  return id;
}

/// Reads the records of one shard into an answer.
class PageOfRecords {
 public:
  PageOfRecords(const Context& context, const api::StreamEntry& stream, store::StreamId shard)
      : context_(context), stream_(stream), shard_(shard) {
    for (const auto& element : stream.key_schema) key_names_.push_back(element.attribute_name);
    std::ranges::sort(key_names_);
  }

  /// Adds a record; returns its size as the service counts it.
  Answer<std::size_t> add(store::StreamPosition position, std::string_view bytes) {
    DINETTE_STORED(const ChangeRecord change, read_change(bytes));
    DINETTE_STORED(const model::Item keys, codec::read_attributes(change.any(), key_names_));
    std::size_t size = model::size_in_bytes(keys);
    api::StreamRecord content;
    content.approximate_creation_date_time = change.moment.whole_seconds();
    content.keys = codec::to_text(keys);
    content.new_image = image(change.new_image, size);
    content.old_image = image(change.old_image, size);
    content.sequence_number = SequenceNumber::of(position).text();
    content.size_bytes = static_cast<std::int64_t>(size);
    content.stream_view_type = stream_.view_type;

    api::Record& record = records_.emplace_back();
    record.event_id = event_id(shard_, position);
    record.event_name = change.event;
    record.event_version = "1.1";
    record.event_source = "aws:dynamodb";
    record.aws_region = context_.region;
    record.dynamodb = std::move(content);
    if (change.expiry) record.user_identity = api::Identity{"dynamodb.amazonaws.com", "Service"};
    return size;
  }

  void remove_last() { records_.pop_back(); }
  std::vector<api::Record> take() && { return std::move(records_); }

 private:
  /// The item of an image, whose size is added to `size`; none if there is no image.
  static std::optional<codec::ItemText> image(std::string_view record, std::size_t& size) {
    if (record.empty()) return std::nullopt;
    size += codec::record_size(record);
    return codec::copy_of(codec::record_text(record));
  }

  const Context& context_;
  const api::StreamEntry& stream_;
  const store::StreamId shard_;
  std::vector<std::string> key_names_;  ///< ascending
  std::vector<api::Record> records_;
};

}  // namespace

Answer<api::GetRecordsOutput> get_records(const Context& context, api::GetRecordsInput&& input) {
  DINETTE_TRY(ShardIterator iterator, check_iterator(input.shard_iterator, context.now));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_TRY(const api::StreamEntry stream, open_stream_of(view, iterator));
  const auto shard = std::ranges::find(stream.shards, iterator.shard, &records_of);
  if (shard == stream.shards.end()) return shard_not_found();
  DINETTE_STORED(const store::StreamPosition last_trimmed, trimmed_up_to(view, iterator.shard));
  if (last_trimmed.number != 0 && iterator.position <= last_trimmed) return trimmed();

  PageOfRecords page(context, stream, iterator.shard);
  const auto limit = static_cast<std::size_t>(input.limit);
  DINETTE_STORED(store::StreamCursor records, view.read_stream(iterator.shard, iterator.position));
  bool at_end = false;
  std::size_t bytes = 0;
  for (std::size_t count = 0;; ++count) {
    DINETTE_STORED(const bool more, records.next());
    at_end = !more;
    if (at_end || count == limit) break;
    DINETTE_TRY(const std::size_t size, page.add(records.position(), records.record()));
    bytes += size;
    if (count > 0 && bytes > model::limits::stream_page_bytes) {
      page.remove_last();
      break;
    }
    iterator.position = records.position().next();
  }

  api::GetRecordsOutput output;
  output.records = std::move(page).take();
  iterator.issued = context.now;
  if (!at_end || is_open(*shard)) output.next_shard_iterator = iterator.text();
  return output;
}

}  // namespace dinette::dynamodb::ops
