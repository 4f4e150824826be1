#include "app/pull/filter_text.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::filter_text_test {
namespace {

std::string read(const std::string& text) {
  const auto filter = read_filter(text);
  return filter ? filter->expression + " | " + filter->names + " | " + filter->values : filter.error();
}

TEST_CASE("names and values of a filter get placeholders") {
  CHECK(
      read("age >= 18 and begins_with(name, 'A')") ==
      R"(#n0 >= :v0 AND begins_with(#n1, :v1) | {"#n0":"age","#n1":"name"} | {":v0":{"N":"18"},":v1":{"S":"A"}})");
  CHECK(read("status = \"it's\" OR status <> 'a''b'") ==
        R"(#n0 = :v0 OR #n0 <> :v1 | {"#n0":"status"} | {":v0":{"S":"it's"},":v1":{"S":"a'b"}})");
  CHECK(read("a.b[2].size==-1.5e3 and not c != true") ==
        R"(#n0.#n1[2].#n2 = :v0 AND NOT #n3 <> :v1 | {"#n0":"a","#n1":"b","#n2":"size","#n3":"c"} | )"
        R"({":v0":{"N":"-1.5e3"},":v1":{"BOOL":true}})");
  CHECK(read("x between 1 and 2 and y in (null, 'z')") ==
        R"(#n0 BETWEEN :v0 AND :v1 AND #n1 IN(:v2, :v3) | {"#n0":"x","#n1":"y"} | )"
        R"({":v0":{"N":"1"},":v1":{"N":"2"},":v2":{"NULL":true},":v3":{"S":"z"}})");
  CHECK(
      read("attribute_exists(`a b`) and size(my-list) > 3")
          .starts_with("attribute_exists(#n0) AND size(#n1) > :v0 | {\"#n0\":\"a b\",\"#n1\":\"my-list\"}"));
}

TEST_CASE("a filter that cannot be read names the place") {
  CHECK(read("a = :v") == "write values and names themselves, without ':', at character 5");
  CHECK(read("a = 'x") == "a text without its end at character 5");
  CHECK(read("a = 1x") == "'1x' is no number (texts need quotes) at character 5");
  CHECK(read("exists(a)") == "there is no function 'exists' at character 7");
  CHECK(read("a ~ 1") == "unexpected character at character 3");
  CHECK(read("a[x] = 1") == "an index such as [0] is expected at character 2");
  CHECK(read("`a = 1") == "a name without its end at character 1");
  CHECK(read("  ") == "is empty");
}

}  // namespace
}  // namespace dinette::app::filter_text_test
