#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dinette::tablestore::codec {

/// Appends the fields of messages to a text. The counterpart of FieldReader.
class FieldWriter {
 public:
  explicit FieldWriter(std::string& out) : out_(out) {}

  /// Appends one field; of an optional value none if it is absent, of a vector one per element.
  template <class Value>
  void put(std::uint32_t field, const Value& value) {
    if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
      put_number(field, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    } else if constexpr (std::is_same_v<Value, float>) {
      put_float(field, value);
    } else if constexpr (std::is_floating_point_v<Value>) {
      put_double(field, value);
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      put_bytes(field, value);
    } else {
      const std::size_t begin = begin_message(field);
      encode(*this, value);
      end_message(begin);
    }
  }
  template <class Value>
  void put(std::uint32_t field, const std::optional<Value>& value) {
    if (value) put(field, *value);
  }
  template <class Value>
  void put(std::uint32_t field, const std::vector<Value>& values) {
    for (const Value& value : values) put(field, value);
  }

  /// Appends a number of type sint64.
  void put_zigzag(std::uint32_t field, std::int64_t value);

 private:
  void put_number(std::uint32_t field, std::uint64_t number);
  void put_double(std::uint32_t field, double number);
  void put_float(std::uint32_t field, float number);
  void put_bytes(std::uint32_t field, std::string_view bytes);
  void put_varint(std::uint64_t number);
  /// Returns where the message's own bytes begin.
  std::size_t begin_message(std::uint32_t field);
  void end_message(std::size_t begin);

  std::string& out_;
};

template <class Message>
void append_message(std::string& out, const Message& message) {
  FieldWriter writer(out);
  encode(writer, message);
}

template <class Message>
std::string encode_message(const Message& message) {
  std::string out;
  append_message(out, message);
  return out;
}

}  // namespace dinette::tablestore::codec
