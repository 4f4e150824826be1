#include "cql/types/key_order.h"

#include <vector>

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/types.md sections 1 and 4.
namespace dinette::cql::key_order_test {

using ::test::from_hex;

std::string key(const Type& type, std::string_view hex, store::Order order = store::Order::ascending) {
  std::string out;
  append_key(out, type, from_hex(hex), order);
  return out;
}

/// Checks that values are given in ascending order, that descending keys reverse it, and that no key is a
/// prefix of the next.
void check_ascending(const Type& type, const std::vector<const char*>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    INFO(to_text(type) << ": " << values[i - 1] << " < " << values[i]);
    CHECK(std::is_lt(compare_values(type, from_hex(values[i - 1]), from_hex(values[i]))));
    CHECK(key(type, values[i - 1], store::Order::descending) >
          key(type, values[i], store::Order::descending));
    CHECK_FALSE(key(type, values[i]).starts_with(key(type, values[i - 1])));
  }
}

void check_ascending(Kind kind, const std::vector<const char*>& values) {
  check_ascending(Type{.kind = kind}, values);
}

TEST_CASE("whole numbers are ordered by sign, and no bytes are first") {
  check_ascending(Kind::int_, {"", "80000000", "ffffffff", "00000000", "7fffffff"});
  check_ascending(Kind::tinyint, {"80", "ff", "00", "7f"});
  check_ascending(Kind::bigint, {"8000000000000000", "ffffffffffffffff", "0000000000000000"});
  check_ascending(Kind::date, {"00000000", "7fffffff", "80000000", "ffffffff"});
  check_ascending(Kind::boolean, {"", "00", "01"});
  CHECK(key({.kind = Kind::boolean}, "01") == key({.kind = Kind::boolean}, "02"));
}

TEST_CASE("varints and decimals are ordered as numbers") {
  check_ascending(Kind::varint,
                  {"", "ff7f", "80", "ff", "00", "01", "7f", "0080", "0100", "018ee90ff6c373e0ee4e3f0ad2"});
  const Type decimal{.kind = Kind::decimal};
  check_ascending(decimal, {"", "00000000ff6a", "00000001ff6a", "00000002ff6a", "0000000000", "0000000301",
                            "000000010f", "00000000 0f", "80000000 01"});
  CHECK(key(decimal, "000000010a") == key(decimal, "0000000001"));
  CHECK(key(decimal, "0000000500") == key(decimal, "0000000000"));
}

TEST_CASE("floating numbers are ordered as Java orders them") {
  check_ascending(Kind::double_,
                  {"", "fff0000000000000", "bff0000000000000", "8000000000000000", "0000000000000000",
                   "3ff8000000000000", "7ff0000000000000", "7ff8000000000000"});
  check_ascending(Kind::float_, {"ff800000", "80000000", "00000000", "7f800000", "7fc00000"});
  CHECK(key({.kind = Kind::double_}, "fff8000000000001") == key({.kind = Kind::double_}, "7ff8000000000000"));
}

TEST_CASE("uuids are ordered by version, then by time") {
  check_ascending(Kind::uuid, {"ffffffff000010000000000000000000", "00000000000110000000000000000000",
                               "00000000000110007f00000000000000", "00000000000110008000000000000000",
                               "00000000000040000000000000000000", "01000000000040000000000000000000"});
  // The rest of a timeuuid is compared as signed bytes.
  check_ascending(Kind::timeuuid, {"00000000000010007f00000000000000", "00000001000010008000000000000000",
                                   "00000001000010007f00000000000000"});
}

TEST_CASE("texts are ordered by bytes, and a beginning is first") {
  check_ascending(Kind::text, {"", "61", "6100", "6161", "62", "c3a4"});
  check_ascending(Kind::inet, {"7f000001", "7f00000100000000000000000000 0000", "80000000"});
}

TEST_CASE("collections are ordered by elements, then the shorter is first") {
  const Type list{.kind = Kind::list, .frozen = true, .arguments = {{.kind = Kind::int_}}};
  check_ascending(list, {"00000000", "00000001 00000004 ffffffff", "00000001 00000004 00000001",
                         "00000002 00000004 00000001 00000004 00000000", "00000001 00000004 00000002"});
  const Type map{
      .kind = Kind::map, .frozen = true, .arguments = {{.kind = Kind::text}, {.kind = Kind::int_}}};
  check_ascending(map, {"00000000", "00000001 00000001 61 00000004 00000001",
                        "00000001 00000001 61 00000004 00000002", "00000001 00000001 62 00000004 00000000"});
}

TEST_CASE("components are ordered one by one, null first, and missing ones are null") {
  const Type pair{.kind = Kind::tuple, .arguments = {{.kind = Kind::int_}, {.kind = Kind::text}}};
  check_ascending(pair, {"", "ffffffff 00000000", "00000004 00000001", "00000004 00000001 00000000",
                         "00000004 00000001 00000001 61"});
  CHECK(key(pair, "00000004 00000001") == key(pair, "00000004 00000001 ffffffff"));
}

}  // namespace dinette::cql::key_order_test
