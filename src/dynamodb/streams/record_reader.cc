#include "dynamodb/streams/record_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include <boost/algorithm/hex.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/identity.h"
#include "dynamodb/api/stream_record.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/sequence_number.h"

namespace dinette::dynamodb {
namespace {

/// Returns 32 digits, different for each record.
std::string event_id(store::StreamId shard, store::StreamPosition position) {
  std::string place;
  base::append_big_endian(place, static_cast<std::uint64_t>(shard));
  position.append_to(place);
  std::string id;
  boost::algorithm::hex_lower(base::md5(place), std::back_inserter(id));
  return id;
}

/// The item of an image, whose size is added to `size`; none if there is no image.
std::optional<codec::ItemText> item_of(std::string_view image, std::size_t& size) {
  if (image.empty()) return std::nullopt;
  size += codec::record_size(image);
  return codec::copy_of(codec::record_text(image));
}

}  // namespace

RecordReader::RecordReader(const api::StreamEntry& stream, std::string_view region)
    : stream_(stream), region_(region) {
  for (const auto& element : stream.key_schema) key_names_.push_back(element.attribute_name);
  std::ranges::sort(key_names_);
}

kv::Result<api::Record> RecordReader::read(store::StreamId shard, store::StreamPosition position,
                                           std::string_view bytes) const {
  DINETTE_TRY(const ChangeRecord change, read_change(bytes));
  DINETTE_TRY(const model::Item keys, codec::read_attributes(change.any(), key_names_));
  std::size_t size = model::size_in_bytes(keys);
  api::StreamRecord content;
  content.approximate_creation_date_time = codec::Timestamp(change.moment).whole_seconds();
  content.keys = codec::to_text(keys);
  content.new_image = item_of(change.new_image, size);
  content.old_image = item_of(change.old_image, size);
  content.sequence_number = SequenceNumber::of(position).text();
  content.size_bytes = static_cast<std::int64_t>(size);
  content.stream_view_type = stream_.view_type;

  api::Record record;
  record.event_id = event_id(shard, position);
  record.event_name = change.event;
  record.event_version = "1.1";
  record.event_source = "aws:dynamodb";
  record.aws_region = region_;
  record.dynamodb = std::move(content);
  if (change.expiry) record.user_identity = api::Identity{"dynamodb.amazonaws.com", "Service"};
  return record;
}

}  // namespace dinette::dynamodb
