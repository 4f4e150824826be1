#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The binary format of protocol buffers, version proto2: what reading and writing messages is made of.
/// Messages themselves are generated (tablestore/api).
namespace dinette::tablestore::codec {

/// Most elements of repeated fields in one message and those inside it, so that a small body cannot become a
/// large structure. No request that the service accepts has as many.
inline constexpr std::size_t most_repeated = 100'000;

/// Reads the fields of one message, in the order of its bytes:
///
///     while (in.next()) {
///       switch (in.field()) {
///         case 1: in.take(out.name); break;
///       }
///     }
///     return in.ok();
///
/// A field that is not taken is skipped, and so is one with another wire type than its own, and the number of
/// an enumeration that does not know it, as official decoders do. Of a field that is not repeated the last
/// value counts; messages are merged. Nesting is as deep as the types of messages are, that of unknown groups
/// limited.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : rest_(bytes), repeated_left_(&own_left_) {}
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  /// Goes to the next field. Returns false at the end, and if the bytes are malformed.
  bool next();
  std::uint32_t field() const { return field_; }
  /// Returns true if nothing was malformed so far.
  bool ok() const { return ok_; }

  // Each returns true if it has read a value into `out`.

  bool take(bool& out);
  bool take(std::int32_t& out);
  bool take(std::int64_t& out);
  bool take(double& out);
  bool take(float& out);
  /// A view of the message's bytes.
  bool take(std::string_view& out);
  bool take(std::string& out);
  /// A number of type sint64.
  bool take_zigzag(std::int64_t& out);

  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  bool take(Enumeration& out) {
    std::int64_t number = 0;
    return take(number) && from_number(static_cast<std::int32_t>(number), out);
  }

  template <class Message>
  requires std::is_class_v<Message>
  bool take(Message& out) {
    std::string_view bytes;
    if (!take(bytes)) return false;
    FieldReader inner(bytes, *repeated_left_);
    return decode(inner, out) || fail();
  }

  template <class Value>
  bool take(std::optional<Value>& out) {
    const bool was_there = out.has_value();
    if (!was_there) out.emplace();
    const bool taken = take(*out);
    if (!taken && !was_there) out.reset();
    return taken;
  }

  /// One number, or many together, as encoders may choose.
  bool take(std::vector<float>& out);
  bool take(std::vector<bool>& out);

  template <class Value>
  bool take(std::vector<Value>& out) {
    if (*repeated_left_ == 0) return fail();
    --*repeated_left_;
    out.emplace_back();
    const bool taken = take(out.back());
    if (!taken) out.pop_back();
    return taken;
  }

 private:
  enum class WireType : std::uint8_t {
    varint = 0,
    fixed64 = 1,
    bytes = 2,
    begin_group = 3,
    end_group = 4,
    fixed32 = 5
  };

  FieldReader(std::string_view bytes, std::size_t& repeated_left)
      : rest_(bytes), repeated_left_(&repeated_left) {}

  bool fail();
  bool read_tag();
  bool read_varint(std::uint64_t& out);
  bool read_bytes(std::string_view& out);
  bool take_varint(std::uint64_t& out);
  bool skip(std::size_t count);
  bool skip_value();
  bool skip_group();

  std::string_view rest_;
  std::uint32_t field_ = 0;
  WireType type_ = WireType::varint;
  bool taken_ = true;  ///< the value of the current field is behind
  bool ok_ = true;
  std::size_t own_left_ = most_repeated;
  std::size_t* repeated_left_;  ///< that of the outermost message
};

/// Reads a whole message, or returns nothing if it is malformed or lacks a required field.
template <class Message>
std::optional<Message> decode_message(std::string_view bytes) {
  FieldReader in(bytes);
  std::optional<Message> message(std::in_place);
  if (!decode(in, *message)) message.reset();
  return message;
}

}  // namespace dinette::tablestore::codec
