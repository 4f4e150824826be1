#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dinette::tablestore {

/// The types of values, with the numbers of PlainBuffer (tablestore/plainbuffer.md section 3).
/// Kept on disk: never renumber.
enum class ValueType : std::uint8_t {
  integer = 0,
  real = 1,
  boolean = 2,
  string = 3,
  null = 6,  // never stored
  binary = 7,
  inf_min = 9,          // of bounds: less than all values
  inf_max = 10,         // of bounds: greater than all values
  auto_increment = 11,  // of new rows: the service chooses the number
};

/// Returns the name in error messages, such as `VT_INTEGER`.
std::string_view name_of(ValueType type);

/// A value of a column, or what takes its place in bounds and new rows. A view: the bytes of a String or
/// Binary must outlive it.
class Value {
 public:
  Value() = default;

  static Value integer(std::int64_t number) {
    Value value(ValueType::integer);
    value.number_.integer = number;
    return value;
  }
  static Value real(double number) {
    Value value(ValueType::real);
    value.number_.real = number;
    return value;
  }
  static Value boolean(bool truth) {
    Value value(ValueType::boolean);
    value.number_.integer = truth ? 1 : 0;
    return value;
  }
  static Value string(std::string_view bytes) { return Value(ValueType::string, bytes); }
  static Value binary(std::string_view bytes) { return Value(ValueType::binary, bytes); }
  static Value inf_min() { return Value(ValueType::inf_min); }
  static Value inf_max() { return Value(ValueType::inf_max); }
  static Value auto_increment() { return Value(ValueType::auto_increment); }

  ValueType type() const { return type_; }
  bool is_number() const { return type_ == ValueType::integer || type_ == ValueType::real; }
  bool has_bytes() const { return type_ == ValueType::string || type_ == ValueType::binary; }
  bool is_infinite() const { return type_ == ValueType::inf_min || type_ == ValueType::inf_max; }

  // Only for a value of that type.
  std::int64_t as_integer() const { return number_.integer; }
  double as_real() const { return number_.real; }
  bool as_boolean() const { return number_.integer != 0; }
  std::string_view bytes() const { return bytes_; }

  /// Returns true if type and value are equal.
  friend bool operator==(const Value& a, const Value& b);

 private:
  explicit Value(ValueType type) : type_(type) {}
  Value(ValueType type, std::string_view bytes) : type_(type), bytes_(bytes) {}

  ValueType type_ = ValueType::null;
  union {
    std::int64_t integer = 0;
    double real;
  } number_;
  std::string_view bytes_;
};

/// Orders two values of one type as filters do: numbers by value, texts by unsigned bytes, false before true.
/// Values of different types have no order.
std::partial_ordering compare(const Value& a, const Value& b);

/// Returns the bytes of a value as capacity units count them (tablestore/names-limits.md
/// section 5).
std::size_t size_of(const Value& value);

}  // namespace dinette::tablestore
