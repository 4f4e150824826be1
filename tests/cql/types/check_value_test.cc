#include "cql/types/check_value.h"

#include <array>

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/types.md sections 2 to 5.
namespace dinette::cql::check_value_test {

using ::test::from_hex;

/// Returns the text of the refusal, or nothing.
std::string refusal(const Type& type, std::string_view hex) {
  const auto checked = check_value(type, from_hex(hex));
  if (checked.ok()) return "";
  CHECK(checked.error().code == ErrorCode::invalid);
  return checked.error().message;
}

std::string refusal(Kind kind, std::string_view hex) {
  return refusal(Type{.kind = kind}, hex);
}

const Type int_list{.kind = Kind::list, .arguments = {{.kind = Kind::int_}}};
const Type text_set{.kind = Kind::set, .arguments = {{.kind = Kind::text}}};
const Type int_map{.kind = Kind::map, .arguments = {{.kind = Kind::text}, {.kind = Kind::int_}}};
const Type pair{.kind = Kind::tuple, .arguments = {{.kind = Kind::int_}, {.kind = Kind::text}}};
const Type point{.kind = Kind::udt, .arguments = pair.arguments, .name = "u", .fields = {"a", "b"}};

struct Sample {
  Kind kind;
  const char* hex;
};

TEST_CASE("values that a driver encodes are accepted") {
  constexpr std::array samples = {
      Sample{Kind::int_, "ffffffff"},
      Sample{Kind::smallint, "fffe"},
      Sample{Kind::varint, "00"},
      Sample{Kind::varint, "ff7f"},
      Sample{Kind::varint, "018ee90ff6c373e0ee4e3f0ad2"},
      Sample{Kind::decimal, "00000002ff6a"},
      Sample{Kind::decimal, "0000000901b69b4bacd05f15"},
      Sample{Kind::double_, "7ff8000000000000"},
      Sample{Kind::float_, "80000000"},
      Sample{Kind::timestamp, "0000012de9b1cde0"},
      Sample{Kind::time, "00001ae5c31f8915"},
      Sample{Kind::date, "800040ae"},
      Sample{Kind::inet, "00000000000000000000000000000001"},
      Sample{Kind::duration, "020406"},
      Sample{Kind::duration, "010305"},
      Sample{Kind::duration, "0080b200"},
      Sample{Kind::duration, "0000f077359400"},
      Sample{Kind::duration, "180000"},
  };
  for (const auto& [kind, hex] : samples) {
    INFO(hex);
    CHECK(refusal(kind, hex).empty());
  }
  CHECK(refusal(int_list, "00000002 00000004 00000001 00000004 00000002").empty());
  CHECK(refusal(text_set, "00000002 00000001 61 00000001 62").empty());
  CHECK(refusal(int_map, "00000001 00000001 61 00000004 00000001").empty());
  CHECK(refusal(pair, "00000004 00000001 ffffffff").empty());
  CHECK(refusal(point, "00000004 00000001 00000001 78").empty());
}

TEST_CASE("values of a wrong length are refused with it") {
  CHECK(refusal(Kind::int_, "0000") == "Expected 4 or 0 byte int (2)");
  CHECK(refusal(Kind::bigint, "00") == "Expected 8 or 0 byte long (1)");
  CHECK(refusal(Kind::smallint, "00") == "Expected 2 bytes for a smallint (1)");
  CHECK(refusal(Kind::tinyint, "0000") == "Expected 1 byte for a tinyint (2)");
  CHECK(refusal(Kind::boolean, "0000") == "Expected 1 or 0 byte value (2)");
  CHECK(refusal(Kind::float_, "00") == "Expected 4 or 0 byte value for a float (1)");
  CHECK(refusal(Kind::double_, "00") == "Expected 8 or 0 byte value for a double (1)");
  CHECK(refusal(Kind::timestamp, "00") == "Expected 8 or 0 byte long for date (1)");
  CHECK(refusal(Kind::date, "00") == "Expected 4 byte long for date (1)");
  CHECK(refusal(Kind::time, "00") == "Expected 8 byte long for time (1)");
  CHECK(refusal(Kind::uuid, "00") == "UUID should be 16 or 0 bytes (1)");
  CHECK(refusal(Kind::inet, "00ff") == "Expected 4 or 16 byte inetaddress; got 00ff");
  CHECK(refusal(Kind::decimal, "000000") == "Expected 0 or at least 4 bytes (3)");
  CHECK(refusal(Kind::duration, "0000") == "Expected at least 3 bytes for a duration (2)");
}

TEST_CASE("bytes that are no text, version or number are refused") {
  CHECK(refusal(Kind::ascii, "6180") == "Invalid byte for ascii: -128");
  CHECK(refusal(Kind::text, "c328") == "String didn't validate.");
  CHECK(refusal(Kind::timeuuid, "00000000000040000000000000000000") == "Invalid version for TimeUUID type.");
  CHECK(refusal(Kind::duration, "020500").starts_with("The duration months, days and nanoseconds must be"));
}

TEST_CASE("numbers are limited to 10^38, however many bytes they have") {
  CHECK(refusal(Kind::varint, "4b3b4ca85a86c47a098a224000000000").empty());
  CHECK(refusal(Kind::varint, "4b3b4ca85a86c47a098a224000000001") == "Varint value is out of range.");
  CHECK(refusal(Kind::varint, "b4c4b357a5793b85f675ddc000000000").empty());
  CHECK(refusal(Kind::varint, "b4c4b357a5793b85f675ddbfffffffff") == "Varint value is out of range.");
  CHECK(refusal(Kind::varint, std::string(100, '0') + "01").empty());
  CHECK(refusal(Kind::varint, "00ffffffffffffffffffffffffffffffff") == "Varint value is out of range.");
  CHECK(refusal(Kind::decimal, "00000000 00ffffffffffffffffffffffffffffffff") ==
        "Decimal value is out of range.");
}

TEST_CASE("no bytes are a value of most types") {
  for (const Kind kind : {Kind::int_, Kind::text, Kind::blob, Kind::uuid, Kind::timeuuid, Kind::inet,
                          Kind::varint, Kind::decimal, Kind::double_, Kind::timestamp, Kind::boolean}) {
    CHECK(refusal(kind, "").empty());
  }
  for (const Kind kind : {Kind::smallint, Kind::tinyint, Kind::date, Kind::time, Kind::counter}) {
    CHECK_FALSE(refusal(kind, "").empty());
  }
  CHECK(refusal(text_set, "") == "Not enough bytes to read a set");
}

TEST_CASE("malformed collections are refused") {
  CHECK(refusal(int_list, "00000001 00000004 0000") == "Not enough bytes to read a list");
  CHECK(refusal(int_list, "7fffffff") == "Not enough bytes to read a list");
  CHECK(refusal(int_map, "00000001 00000001 61") == "Not enough bytes to read a map");
  CHECK(refusal(int_list, "00000000 00") == "Unexpected extraneous bytes after list value");
  CHECK(refusal(int_list, "00000001 ffffffff") == "null is not supported inside collections");
  CHECK(refusal(int_list, "00000001 00000001 00") == "Expected 4 or 0 byte int (1)");
}

TEST_CASE("components may be missing at the end, but not cut") {
  CHECK(refusal(pair, "").empty());
  CHECK(refusal(pair, "0000") == "Not enough bytes to read size of 0th component");
  CHECK(refusal(pair, "00000004 00") == "Not enough bytes to read 0th component");
  CHECK(refusal(pair, "ffffffff ffffffff 00") == "Invalid remaining data after end of tuple value");
  CHECK(refusal(pair, "ffffffff ffffffff ffffffff 00000001 61") ==
        "Tuple value contained too many fields (expected 2, got 4)");
  CHECK(refusal(point, "ffffffff ffffffff ffffffff") ==
        "UDT value contained too many fields (expected 2, got 3)");
  CHECK(refusal(point, "ffffffff 00000001") == "Not enough bytes to read 1th field b");
  CHECK(refusal(point, "ffffffff ffffffff 00") == "Invalid remaining data after end of UDT value");
}

}  // namespace dinette::cql::check_value_test
