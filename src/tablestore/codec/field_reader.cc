#include "tablestore/codec/field_reader.h"

#include <bit>
#include <limits>

namespace dinette::tablestore::codec {
namespace {

/// How deep groups that no message has may be inside each other; that of the official decoders.
constexpr int deepest_group = 100;

constexpr int most_varint_bytes = 10;

/// Reads the first bytes of a text, which must be long enough.
template <class Unsigned>
Unsigned little_endian(std::string_view bytes) {
  Unsigned bits = 0;
  for (std::size_t i = sizeof bits; i-- > 0;) bits = bits << 8 | static_cast<std::uint8_t>(bytes[i]);
  return bits;
}

}  // namespace

bool FieldReader::next() {
  if (!ok_ || (!taken_ && !skip_value())) return false;
  return !rest_.empty() && read_tag();
}

bool FieldReader::take(bool& out) {
  std::uint64_t number = 0;
  if (!take_varint(number)) return false;
  out = number != 0;
  return true;
}

bool FieldReader::take(std::int32_t& out) {
  std::uint64_t number = 0;
  if (!take_varint(number)) return false;
  out = static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
  return true;
}

bool FieldReader::take(std::int64_t& out) {
  std::uint64_t number = 0;
  if (!take_varint(number)) return false;
  out = static_cast<std::int64_t>(number);
  return true;
}

bool FieldReader::take(double& out) {
  if (taken_ || type_ != WireType::fixed64) return false;
  taken_ = true;
  const std::string_view bytes = rest_;
  if (!skip(sizeof(std::uint64_t))) return false;
  out = std::bit_cast<double>(little_endian<std::uint64_t>(bytes));
  return true;
}

bool FieldReader::take(float& out) {
  if (taken_ || type_ != WireType::fixed32) return false;
  taken_ = true;
  const std::string_view bytes = rest_;
  if (!skip(sizeof(std::uint32_t))) return false;
  out = std::bit_cast<float>(little_endian<std::uint32_t>(bytes));
  return true;
}

bool FieldReader::take(std::vector<float>& out) {
  std::string_view packed;
  if (!take(packed)) {
    float one = 0;
    if (!take(one)) return false;
    packed = {};
    out.push_back(one);
  }
  if (packed.size() % sizeof(float) != 0) return fail();
  for (; !packed.empty(); packed.remove_prefix(sizeof(float)))
    out.push_back(std::bit_cast<float>(little_endian<std::uint32_t>(packed)));
  return out.size() <= most_repeated || fail();
}

bool FieldReader::take(std::vector<bool>& out) {
  bool one = false;
  if (!take(one)) return false;
  out.push_back(one);
  return out.size() <= most_repeated || fail();
}

bool FieldReader::take_zigzag(std::int64_t& out) {
  std::uint64_t number = 0;
  if (!take_varint(number)) return false;
  out = static_cast<std::int64_t>((number >> 1) ^ (~(number & 1) + 1));
  return true;
}

bool FieldReader::take(std::string_view& out) {
  if (taken_ || type_ != WireType::bytes) return false;
  taken_ = true;
  return read_bytes(out);
}

bool FieldReader::take(std::string& out) {
  std::string_view text;
  if (!take(text)) return false;
  out = text;
  return true;
}

bool FieldReader::take_varint(std::uint64_t& out) {
  if (taken_ || type_ != WireType::varint) return false;
  taken_ = true;
  return read_varint(out);
}

bool FieldReader::fail() {
  ok_ = false;
  return false;
}

bool FieldReader::read_tag() {
  std::uint64_t tag = 0;
  if (!read_varint(tag)) return false;
  const auto type = static_cast<std::uint8_t>(tag & 7);
  if (tag > std::numeric_limits<std::uint32_t>::max() || tag < 8 || type > 5) return fail();
  field_ = static_cast<std::uint32_t>(tag >> 3);
  type_ = static_cast<WireType>(type);
  taken_ = false;
  return true;
}

bool FieldReader::read_varint(std::uint64_t& out) {
  std::uint64_t number = 0;
  for (int i = 0; i < most_varint_bytes && static_cast<std::size_t>(i) < rest_.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(rest_[static_cast<std::size_t>(i)]);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(static_cast<std::size_t>(i) + 1);
      out = number;
      return true;
    }
  }
  return fail();
}

bool FieldReader::read_bytes(std::string_view& out) {
  std::uint64_t size = 0;
  if (!read_varint(size)) return false;
  if (size > rest_.size()) return fail();
  out = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(static_cast<std::size_t>(size));
  return true;
}

bool FieldReader::skip(std::size_t count) {
  if (count > rest_.size()) return fail();
  rest_.remove_prefix(count);
  return true;
}

bool FieldReader::skip_value() {
  taken_ = true;
  std::uint64_t number = 0;
  std::string_view bytes;
  switch (type_) {
    case WireType::varint:
      return read_varint(number);
    case WireType::fixed64:
      return skip(8);
    case WireType::bytes:
      return read_bytes(bytes);
    case WireType::fixed32:
      return skip(4);
    case WireType::begin_group:
      return skip_group();
    case WireType::end_group:
      return fail();
  }
  return fail();
}

bool FieldReader::skip_group() {
  std::vector<std::uint32_t> open{field_};
  while (!open.empty()) {
    if (open.size() > deepest_group || !read_tag()) return fail();
    if (type_ == WireType::begin_group) {
      open.push_back(field_);
    } else if (type_ == WireType::end_group) {
      if (open.back() != field_) return fail();
      open.pop_back();
    } else if (!skip_value()) {
      return false;
    }
  }
  taken_ = true;
  return true;
}

}  // namespace dinette::tablestore::codec
