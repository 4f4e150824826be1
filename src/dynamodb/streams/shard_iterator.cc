#include "dynamodb/streams/shard_iterator.h"

#include <cstdint>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"

namespace dinette::dynamodb {
namespace {

constexpr std::string_view separator = "|1|";
constexpr std::size_t issued_at = sizeof(store::StreamId);
constexpr std::size_t position_at = issued_at + sizeof(std::uint64_t);
constexpr std::size_t place_size = position_at + store::StreamPosition::encoded_size;

}  // namespace

std::string ShardIterator::text() const {
  std::string place;
  base::append_big_endian(place, static_cast<std::uint64_t>(shard));
  base::append_big_endian(place, static_cast<std::uint64_t>(issued.milliseconds));
  position.append_to(place);
  return stream_arn + std::string(separator) + base::base64_encode(place);
}

std::optional<ShardIterator> ShardIterator::parse(std::string_view text) {
  const auto end_of_arn = text.find(separator);
  if (end_of_arn == std::string_view::npos) return std::nullopt;
  const auto place = base::base64_decode(text.substr(end_of_arn + separator.size()));
  if (!place || place->size() != place_size) return std::nullopt;
  ShardIterator iterator;
  iterator.stream_arn = text.substr(0, end_of_arn);
  iterator.shard = store::StreamId{base::load_big_endian<std::uint64_t>(place->data())};
  iterator.issued = codec::Timestamp(
      static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(place->data() + issued_at)));
  iterator.position = store::StreamPosition::at_end_of(*place);
  return iterator;
}

}  // namespace dinette::dynamodb
