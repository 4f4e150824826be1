#include "cql/frames/body_reader.h"

#include <span>
#include <string>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"
#include "dinette/base/utf8.h"

namespace dinette::cql::frames {
namespace {

constexpr std::int32_t unset_length = -2;

/// How much of a text that is no UTF-8 an error repeats.
constexpr std::size_t most_bytes_shown = 1024;

std::string hex_of(std::string_view bytes) {
  bytes = bytes.substr(0, most_bytes_shown);
  return base::hex(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace

Answer<std::string_view> BodyReader::read(std::size_t count) {
  if (count > rest_.size()) {
    return protocol_error("Not enough bytes to read the body of a message: " + std::to_string(count) +
                          " needed, " + std::to_string(rest_.size()) + " left");
  }
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

Answer<std::string_view> BodyReader::read_utf8(std::size_t count) {
  DINETTE_TRY(const auto text, read(count));
  if (base::is_utf8(text)) return text;
  return protocol_error("Cannot decode string as UTF8: '" + hex_of(text) + "'; malformed input");
}

Answer<std::uint8_t> BodyReader::read_byte() {
  DINETTE_TRY(const auto bytes, read(1));
  return static_cast<std::uint8_t>(bytes.front());
}

Answer<std::uint16_t> BodyReader::read_short() {
  DINETTE_TRY(const auto bytes, read(sizeof(std::uint16_t)));
  return base::load_big_endian<std::uint16_t>(bytes.data());
}

Answer<std::int32_t> BodyReader::read_int() {
  DINETTE_TRY(const auto bytes, read(sizeof(std::uint32_t)));
  return static_cast<std::int32_t>(base::load_big_endian<std::uint32_t>(bytes.data()));
}

Answer<std::int64_t> BodyReader::read_long() {
  DINETTE_TRY(const auto bytes, read(sizeof(std::uint64_t)));
  return static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(bytes.data()));
}

Answer<std::string_view> BodyReader::read_string() {
  DINETTE_TRY(const auto size, read_short());
  return read_utf8(size);
}

Answer<std::string_view> BodyReader::read_long_string() {
  DINETTE_TRY(const auto size, read_int());
  if (size < 0) return protocol_error("Invalid ByteBuf length " + std::to_string(size));
  return read_utf8(static_cast<std::size_t>(size));
}

Answer<std::vector<std::string_view>> BodyReader::read_string_list() {
  DINETTE_TRY(const auto count, read_short());
  std::vector<std::string_view> texts;
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_TRY(texts.emplace_back(), read_string());
  }
  return texts;
}

Answer<std::vector<std::pair<std::string_view, std::string_view>>> BodyReader::read_string_map() {
  DINETTE_TRY(const auto count, read_short());
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_TRY(const auto key, read_string());
    DINETTE_TRY(const auto value, read_string());
    pairs.emplace_back(key, value);
  }
  return pairs;
}

Answer<std::optional<std::string_view>> BodyReader::read_bytes() {
  DINETTE_TRY(const auto size, read_int());
  if (size < 0) return std::optional<std::string_view>{};
  DINETTE_TRY(const auto bytes, read(static_cast<std::size_t>(size)));
  return std::optional(bytes);
}

Answer<std::string_view> BodyReader::read_short_bytes() {
  DINETTE_TRY(const auto size, read_short());
  return read(size);
}

Answer<Value> BodyReader::read_value() {
  DINETTE_TRY(const auto size, read_int());
  if (size >= 0) {
    DINETTE_TRY(const auto bytes, read(static_cast<std::size_t>(size)));
    return Value{Value::State::bytes, bytes};
  }
  // docs/service-keyspaces/protocol.md section 3: version 3 knows only null.
  if (version_ == Version::v3 || size == -1) return Value{};
  if (size == unset_length) return Value{Value::State::unset, {}};
  return protocol_error("Invalid ByteBuf length " + std::to_string(size));
}

Answer<Consistency> BodyReader::read_consistency() {
  DINETTE_TRY(const auto level, read_short());
  if (level <= static_cast<std::uint16_t>(Consistency::local_one)) return static_cast<Consistency>(level);
  return protocol_error("Unknown code " + std::to_string(level) + " for a consistency level");
}

Answer<void> BodyReader::skip_bytes_map() {
  DINETTE_TRY(const auto count, read_short());
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_CHECK(read_string());
    DINETTE_CHECK(read_bytes());
  }
  return {};
}

}  // namespace dinette::cql::frames
