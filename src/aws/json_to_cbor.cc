#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "dinette/base/base64.h"

#include "aws/cbor.h"
#include "aws/cbor_format.h"

namespace dinette::aws {
namespace {

using cbor::Major;
using simdjson::dom::element_type;

class CborWriter {
 public:
  CborWriter(CborTime time, std::string& out) : time_(time), out_(out) {}

  /// Recurses as deep as the JSON is nested, at most json_levels.
  void value(JsonElement json, const OutputShape* shape) {
    switch (json.type()) {
      case element_type::OBJECT:
        return map(json.get_object().value_unsafe(), shape);
      case element_type::ARRAY:
        return list(json.get_array().value_unsafe(), shape);
      case element_type::STRING:
        return string(json.get_string().value_unsafe(), shape);
      case element_type::INT64:
      case element_type::UINT64:
      case element_type::DOUBLE:
        return number(json, json.type(), shape);
      case element_type::BOOL:
        return simple(json.get_bool().value_unsafe() ? cbor::true_value : cbor::false_value);
      case element_type::NULL_VALUE:
        return simple(cbor::null_value);
    }
  }

 private:
  void map(JsonObject fields, const OutputShape* shape) {
    begin(Major::map);
    for (const auto field : fields) {
      text(Major::text, field.key);
      value(field.value, shape_of_member(shape, field.key));
    }
    out_ += cbor::end_of_indefinite;
  }

  void list(JsonArray elements, const OutputShape* shape) {
    const bool is_list = shape != nullptr && shape->kind == OutputShape::Kind::list;
    begin(Major::list);
    for (const JsonElement element : elements) value(element, is_list ? shape->element : nullptr);
    out_ += cbor::end_of_indefinite;
  }

  void string(std::string_view string, const OutputShape* shape) {
    if (shape != nullptr && shape->kind == OutputShape::Kind::blob) {
      if (const auto bytes = base::base64_decode(string)) return text(Major::bytes, *bytes);
    }
    text(Major::text, string);
  }

  void number(JsonElement json, element_type type, const OutputShape* shape) {
    if (shape != nullptr && shape->kind == OutputShape::Kind::timestamp)
      return timestamp(json.get_double().value_unsafe());
    if (type == element_type::DOUBLE) return floating(json.get_double().value_unsafe());
    if (type == element_type::INT64) return integer(json.get_int64().value_unsafe());
    head(Major::unsigned_integer, json.get_uint64().value_unsafe());
  }

  /// Milliseconds are the finest that services send.
  void timestamp(double seconds) {
    const std::int64_t milliseconds = std::llround(seconds * 1000);
    head(Major::tag, cbor::time_tag);
    if (time_ == CborTime::milliseconds) return integer(milliseconds);
    if (milliseconds % 1000 == 0) return integer(milliseconds / 1000);
    floating(static_cast<double>(milliseconds) / 1000);
  }

  void integer(std::int64_t value) {
    if (value >= 0) return head(Major::unsigned_integer, static_cast<std::uint64_t>(value));
    head(Major::negative_integer, static_cast<std::uint64_t>(-1 - value));
  }

  /// In half of the bytes if nothing is lost.
  void floating(double value) {
    const bool fits = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
    const float single = fits ? static_cast<float>(value) : 0;
    if (static_cast<double>(single) == value) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &single, sizeof bits);
      first_byte(Major::simple, cbor::single_float);
      return big_endian(bits, sizeof bits);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    first_byte(Major::simple, cbor::double_float);
    big_endian(bits, sizeof bits);
  }

  void text(Major major, std::string_view bytes) {
    head(major, bytes.size());
    out_ += bytes;
  }

  void begin(Major major) { first_byte(major, cbor::indefinite); }
  void simple(std::uint8_t value) { first_byte(Major::simple, value); }

  /// In as few bytes as possible.
  void head(Major major, std::uint64_t number) {
    if (number < cbor::one_byte) return first_byte(major, static_cast<std::uint8_t>(number));
    if (number <= 0xff) {
      first_byte(major, cbor::one_byte);
      return big_endian(number, 1);
    }
    if (number <= 0xffff) {
      first_byte(major, cbor::two_bytes);
      return big_endian(number, 2);
    }
    if (number <= 0xffff'ffff) {
      first_byte(major, cbor::four_bytes);
      return big_endian(number, 4);
    }
    first_byte(major, cbor::eight_bytes);
    big_endian(number, 8);
  }

  void first_byte(Major major, std::uint8_t info) {
    out_ += static_cast<char>(static_cast<std::uint8_t>(major) << 5 | info);
  }

  void big_endian(std::uint64_t number, std::size_t size) {
    while (size-- > 0) out_ += static_cast<char>(number >> (8 * size));
  }

  const CborTime time_;
  std::string& out_;
};

}  // namespace

const OutputShape* shape_of_member(const OutputShape* shape, std::string_view name) {
  if (shape == nullptr) return nullptr;
  if (shape->kind == OutputShape::Kind::map) return shape->element;
  for (const OutputMember& member : shape->members) {
    if (member.name == name) return member.shape;
  }
  return nullptr;
}

void json_to_cbor(JsonElement json, const OutputShape* shape, CborTime time, std::string& cbor) {
  CborWriter(time, cbor).value(json, shape);
}

}  // namespace dinette::aws
