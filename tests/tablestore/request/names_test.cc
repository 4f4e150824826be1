#include "tablestore/request/names.h"

#include <string>

#include <catch2/catch.hpp>

// tablestore/names-limits.md section 1.
namespace dinette::tablestore::names_test {

constexpr Switches strict;
constexpr Switches loose{.loose_names = true};

TEST_CASE("names of tables are letters, digits and underscores, and do not begin with a digit") {
  for (const std::string name : {"_0", "_T", "A0", "a"}) CHECK(check_table_name(name));
  CHECK(check_table_name(std::string(255, 'a')));
  for (const std::string name : {"", "0", "#", "中文", "T#", "T中文", "3t", "-", "testU+0053", "a.b"}) {
    CAPTURE(name);
    REQUIRE_FALSE(check_table_name(name));
    CHECK(check_table_name(name).error().message == "Invalid table name: '" + name + "'.");
    CHECK(check_table_name(name).error().name() == "OTSParameterInvalid");
  }
  CHECK_FALSE(check_table_name(std::string(256, 'a')));
}

TEST_CASE("columns have names like tables") {
  CHECK(check_column_name("_gid"));
  CHECK(check_attribute_name(std::string(255, 'a'), strict));
  for (const std::string name : {"", "0a", "#abc", "公司", "a.b", "a b"}) {
    CAPTURE(name);
    CHECK(check_column_name(name).error().message == "Invalid column name: '" + name + "'.");
    CHECK_FALSE(check_attribute_name(name, strict));
  }
}

TEST_CASE("with loose names attribute columns may have nearly any name") {
  for (const std::string name : {"公司", "0a", "a.b", ":", "'", "\"$&*()/\\", "\n", "\r", " "})
    CHECK(check_attribute_name(name, loose));
  std::string long_name;
  for (int i = 0; i < 255; ++i) long_name += "公";
  CHECK(check_attribute_name(long_name, loose));
  CHECK_FALSE(check_attribute_name(long_name + "a", loose));
  for (const std::string name : {"", "#", "#abc", "#公司", "# "})
    CHECK_FALSE(check_attribute_name(name, loose));
}

TEST_CASE("instances have names of 3 to 16 letters, digits and hyphens") {
  for (const std::string name : {"abc", "a-1", "phpsdkinstance", "ots-test", "ABC", "abcdefghijklmnop"})
    CHECK(is_instance_name(name));
  for (const std::string name : {"", "ab", "1bc", "-bc", "ab-", "a_b", "a.b", "abcdefghijklmnopq"})
    CHECK_FALSE(is_instance_name(name));
}

}  // namespace dinette::tablestore::names_test
