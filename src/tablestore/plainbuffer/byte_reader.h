#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace dinette::tablestore::plainbuffer {

/// Takes little-endian numbers and texts from the front of bytes. Nothing is taken that is not there whole.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  template <class Number>
  std::optional<Number> number() {
    const auto bytes = take(sizeof(Number));
    if (!bytes) return std::nullopt;
    std::make_unsigned_t<Number> number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;)
      number = static_cast<decltype(number)>((number << 7 << 1) | static_cast<std::uint8_t>((*bytes)[i]));
    return static_cast<Number>(number);
  }

  std::optional<std::string_view> take(std::size_t size) {
    if (size > rest_.size()) return std::nullopt;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  /// Takes a text after its length of four bytes.
  std::optional<std::string_view> text() {
    const auto size = number<std::uint32_t>();
    return size ? take(*size) : std::nullopt;
  }

  /// Takes the next byte if it is `byte`.
  bool take_byte(std::uint8_t byte) {
    if (rest_.empty() || static_cast<std::uint8_t>(rest_.front()) != byte) return false;
    rest_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace dinette::tablestore::plainbuffer
