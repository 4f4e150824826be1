#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Tuples whose encoded bytes compare as their values do, component by component. No encoding is a prefix of
/// another one with the same component types. Types are not encoded: the reader must know them.
/// src/store/FORMAT.md has the bytes.
namespace dinette::store {

enum class Order : bool { ascending, descending };

/// A decimal number: (-1)^negative * 0.d1d2d3... * 10^exponent.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  std::string_view digits;  ///< '0' to '9'; none for zero; zeros at either end are allowed and ignored
};

/// A decimal number that owns its digits, in normal form: no zeros at either end, and zero is {false, 0, ""}.
struct DecimalText {
  bool negative = false;
  int exponent = 0;
  std::string digits;

  friend bool operator==(const DecimalText&, const DecimalText&) = default;
};

/// Exponents of normalised decimals are between -max_decimal_exponent and +max_decimal_exponent.
inline constexpr int max_decimal_exponent = 8191;

/// Each of these appends one component to `out`. Strings and binaries alike are bytes, compared unsigned; a
/// prefix sorts before what it is a prefix of.
void append_bytes(std::string& out, std::string_view bytes, Order order = Order::ascending);
void append_decimal(std::string& out, const Decimal& number, Order order = Order::ascending);
void append_int64(std::string& out, std::int64_t number, Order order = Order::ascending);
/// Orders numbers as -NaN < -infinity < ... < -0 < +0 < ... < +infinity < +NaN.
void append_double(std::string& out, double number, Order order = Order::ascending);

/// Appends the bytes with which every encoding of a string that starts with `prefix` starts, and no other.
/// Appended as the last component, they give, with base::prefix_end, the range of those strings.
void append_bytes_prefix(std::string& out, std::string_view prefix, Order order = Order::ascending);

/// Reads the components of a tuple, one after the other, in the order and with the types with which it was
/// made. Returns nullopt for a component that cannot be read: the bytes are corrupt, and reading on makes no
/// sense.
class TupleReader {
 public:
  /// `encoded` must outlive the reader.
  explicit TupleReader(std::string_view encoded) : rest_(encoded) {}

  std::optional<std::string> read_bytes(Order order = Order::ascending);
  std::optional<DecimalText> read_decimal(Order order = Order::ascending);
  std::optional<std::int64_t> read_int64(Order order = Order::ascending);
  std::optional<double> read_double(Order order = Order::ascending);

  /// Returns what has not been read yet.
  std::string_view rest() const { return rest_; }

 private:
  std::optional<std::uint64_t> read_u64(Order order);

  std::string_view rest_;
};

}  // namespace dinette::store
