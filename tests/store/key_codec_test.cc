#include "dinette/store/key_codec.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "support/random_seed.h"

namespace dinette::store::key_codec_test {
namespace {

constexpr Order both_orders[] = {Order::ascending, Order::descending};
constexpr int rounds = 30'000;

std::strong_ordering turned(std::strong_ordering order, Order direction) {
  return direction == Order::ascending ? order : 0 <=> order;
}
std::strong_ordering compare(const std::string& a, const std::string& b) {
  return a.compare(b) <=> 0;
}

/// Exact comparison, written independently of the encoding: digits next to each other, aligned at the decimal
/// point.
std::strong_ordering compare(const DecimalText& a, const DecimalText& b) {
  const auto sign = [](const DecimalText& n) { return n.digits.empty() ? 0 : n.negative ? -1 : 1; };
  if (sign(a) != sign(b) || sign(a) == 0) return sign(a) <=> sign(b);
  std::strong_ordering magnitude = a.exponent <=> b.exponent;
  for (std::size_t i = 0; magnitude == 0 && i < std::max(a.digits.size(), b.digits.size()); ++i) {
    const auto digit = [i](const DecimalText& n) { return i < n.digits.size() ? n.digits[i] : '0'; };
    magnitude = digit(a) <=> digit(b);
  }
  return a.negative ? 0 <=> magnitude : magnitude;
}

Decimal view(const DecimalText& number) {
  return {number.negative, number.exponent, number.digits};
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  std::uint64_t bits() { return generator_(); }
  Order order() { return between(0, 1) == 0 ? Order::ascending : Order::descending; }

  std::string bytes() {
    static constexpr char letters[] = {'\0', '\x01', '\xFE', '\xFF', 'a', 'b'};
    std::string value;
    for (int size = between(0, 5); size > 0; --size) value += letters[between(0, 5)];
    return value;
  }
  /// The range of DynamoDB's numbers: 1E-130 is 0.1 times 10^-129, 9.9E125 is 0.99 times 10^126.
  DecimalText decimal() {
    DecimalText number;
    if (between(0, 20) == 0) return number;
    number.negative = between(0, 1) == 0;
    number.exponent = between(0, 2) == 0 ? between(-1, 2) : between(-129, 126);
    const int digits = between(0, 2) == 0 ? between(1, 3) : between(1, 38);
    for (int i = 0; i < digits; ++i) number.digits += static_cast<char>('0' + between(0, 9));
    number.digits.front() = static_cast<char>('0' + between(1, 9));
    number.digits.back() = static_cast<char>('0' + between(1, 9));
    return number;
  }
  /// Returns a number near `other`: the same beginning, with another digit somewhere, or slightly more or
  /// less.
  DecimalText near(DecimalText other) {
    if (other.digits.empty()) return decimal();
    const int kind = between(0, 3);
    const auto at = static_cast<std::size_t>(between(0, static_cast<int>(other.digits.size()) - 1));
    if (kind == 0) other.digits[at] = static_cast<char>('0' + between(1, 9));
    if (kind == 1 && other.digits.size() < 38) other.digits += static_cast<char>('0' + between(1, 9));
    if (kind == 2) other.exponent = std::clamp(other.exponent + between(-1, 1), -129, 126);
    if (kind == 3) other.negative = !other.negative;
    while (other.digits.back() == '0') other.digits.pop_back();
    return other;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace

TEST_CASE("key codec: numbers sort by value and decode to the same number") {
  Random random(test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const DecimalText a = random.decimal();
    const DecimalText b = random.between(0, 1) == 0 ? random.decimal() : random.near(a);
    for (const Order order : both_orders) {
      std::string left;
      std::string right;
      append_decimal(left, view(a), order);
      append_decimal(right, view(b), order);
      INFO(a.negative << " 0." << a.digits << "e" << a.exponent << "  " << b.negative << " 0." << b.digits
                      << "e" << b.exponent);
      REQUIRE(compare(left, right) == turned(compare(a, b), order));
      REQUIRE(TupleReader(left).read_decimal(order) == a);
    }
  }
}

TEST_CASE("key codec: every exponent, both signs, in order") {
  std::vector<std::string> keys;
  std::string zero;
  append_decimal(zero, {});
  for (int exponent = -130; exponent <= 127; ++exponent) {
    for (const char* digits :
         {"1", "10000000000000000000000000000000000001", "9", "99999999999999999999999999999999999999"}) {
      std::string positive;
      std::string negative;
      append_decimal(positive, {false, exponent, digits});
      append_decimal(negative, {true, exponent, digits});
      CHECK(positive > zero);
      CHECK(negative < zero);
      if (!keys.empty()) CHECK(keys.back() < positive);
      keys.push_back(positive);
    }
  }
  for (const int exponent : {-max_decimal_exponent, max_decimal_exponent}) {
    std::string key;
    append_decimal(key, {true, exponent, "5"});
    CHECK(TupleReader(key).read_decimal() == DecimalText{true, exponent, "5"});
  }
}

TEST_CASE("key codec: one number, however it is written, has one encoding") {
  std::string plain;
  append_decimal(plain, {false, 2, "12"});  // 12
  for (const Decimal& other :
       {Decimal{false, 2, "1200"}, Decimal{false, 4, "0012"}, Decimal{false, 3, "012000"}}) {
    std::string key;
    append_decimal(key, other);
    CHECK(key == plain);
  }
  std::string zero;
  append_decimal(zero, {});
  for (const Decimal& other : {Decimal{true, 0, ""}, Decimal{false, 100, "0"}, Decimal{true, -7, "000"}}) {
    std::string key;
    append_decimal(key, other);
    CHECK(key == zero);
  }
}

TEST_CASE("key codec: strings and binaries sort as unsigned bytes and decode to the same bytes") {
  Random random(test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const std::string a = random.bytes();
    const std::string b = random.bytes();
    for (const Order order : both_orders) {
      std::string left;
      std::string right;
      append_bytes(left, a, order);
      append_bytes(right, b, order);
      REQUIRE(compare(left, right) == turned(compare(a, b), order));
      REQUIRE(TupleReader(left).read_bytes(order) == a);
      // No encoding is a prefix of another one.
      if (a != b) REQUIRE_FALSE(left.starts_with(right));
    }
  }
}

TEST_CASE("key codec: the strings with a prefix are a range") {
  Random random(test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const std::string prefix = random.bytes();
    const std::string other = random.between(0, 1) == 0 ? random.bytes() : prefix + random.bytes();
    for (const Order order : both_orders) {
      std::string begin;
      std::string key;
      append_bytes_prefix(begin, prefix, order);
      append_bytes(key, other, order);
      const std::string end = base::prefix_end(begin);
      const bool inside = key >= begin && (end.empty() || key < end);
      REQUIRE(inside == other.starts_with(prefix));
    }
  }
}

TEST_CASE("key codec: integers and doubles sort by value and decode to the same value") {
  Random random(test::random_seed());
  std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                        std::numeric_limits<std::int64_t>::max()};
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> doubles = {-infinity,
                                 std::numeric_limits<double>::lowest(),
                                 -1.5,
                                 -std::numeric_limits<double>::denorm_min(),
                                 -0.0,
                                 0.0,
                                 std::numeric_limits<double>::denorm_min(),
                                 1.5,
                                 infinity};
  for (int i = 0; i < 300; ++i) {
    integers.push_back(static_cast<std::int64_t>(random.bits()) >> random.between(0, 60));
    const auto bits = random.bits();
    if (const auto number = std::bit_cast<double>(bits); !std::isnan(number)) doubles.push_back(number);
  }
  for (const Order order : both_orders) {
    for (const std::int64_t a : integers) {
      for (const std::int64_t b : integers) {
        std::string left;
        std::string right;
        append_int64(left, a, order);
        append_int64(right, b, order);
        REQUIRE(compare(left, right) == turned(a <=> b, order));
        REQUIRE(TupleReader(left).read_int64(order) == a);
      }
    }
    for (const double a : doubles) {
      for (const double b : doubles) {
        std::string left;
        std::string right;
        append_double(left, a, order);
        append_double(right, b, order);
        REQUIRE(compare(left, right) == turned(std::strong_order(a, b), order));
        REQUIRE(TupleReader(left).read_double(order) == a);
      }
    }
  }
}

TEST_CASE("key codec: tuples sort by their first components first") {
  Random random(test::random_seed());
  for (int i = 0; i < rounds; ++i) {
    const Order orders[] = {random.order(), random.order(), random.order()};
    struct Row {
      std::string bytes;
      DecimalText decimal;
      std::int64_t integer;
      std::string key;
    };
    Row rows[2];
    for (Row& row : rows) {
      // Few different values, so that later components decide as often as the first.
      row = {random.bytes().substr(0, 2), random.near({false, 1, "5"}), random.between(-1, 1), {}};
      append_bytes(row.key, row.bytes, orders[0]);
      append_decimal(row.key, view(row.decimal), orders[1]);
      append_int64(row.key, row.integer, orders[2]);
    }
    std::strong_ordering expected = turned(compare(rows[0].bytes, rows[1].bytes), orders[0]);
    if (expected == 0) expected = turned(compare(rows[0].decimal, rows[1].decimal), orders[1]);
    if (expected == 0) expected = turned(rows[0].integer <=> rows[1].integer, orders[2]);
    REQUIRE(compare(rows[0].key, rows[1].key) == expected);

    TupleReader reader(rows[0].key);
    REQUIRE(reader.read_bytes(orders[0]) == rows[0].bytes);
    REQUIRE(reader.read_decimal(orders[1]) == rows[0].decimal);
    REQUIRE(reader.read_int64(orders[2]) == rows[0].integer);
    REQUIRE(reader.rest().empty());
  }
}

TEST_CASE("key codec: truncated and invalid encodings are refused") {
  std::string bytes;
  append_bytes(bytes, std::string_view("a\0b", 3));
  std::string decimal;
  append_decimal(decimal, {true, 3, "12345"});
  std::string integer;
  append_int64(integer, 7);
  for (const Order order : both_orders) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK_FALSE(TupleReader(std::string_view(bytes).substr(0, size)).read_bytes(order));
    }
  }
  for (std::size_t size = 0; size < decimal.size(); ++size) {
    CHECK_FALSE(TupleReader(std::string_view(decimal).substr(0, size)).read_decimal());
  }
  for (std::size_t size = 0; size < integer.size(); ++size) {
    CHECK_FALSE(TupleReader(std::string_view(integer).substr(0, size)).read_int64());
    CHECK_FALSE(TupleReader(std::string_view(integer).substr(0, size)).read_double());
  }
  CHECK_FALSE(TupleReader(std::string_view("a\0\x02", 3)).read_bytes());
  CHECK_FALSE(TupleReader(std::string_view("\xA0\0\xFE\0", 4)).read_decimal());
}

}  // namespace dinette::store::key_codec_test
