#include "dinette/http/query_string.h"

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/http/tokens.h"

namespace dinette::http::query_string_test {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("parameters are decoded, in the order sent") {
  CHECK(QueryString("b=2&a=1&b=3").parameters() == Parameters{{"b", "2"}, {"a", "1"}, {"b", "3"}});
  CHECK(QueryString("a%20b=c%3Dd%26&%C3%A9=+").parameters() ==
        Parameters{{"a b", "c=d&"}, {"\xC3\xA9", "+"}});
  CHECK(QueryString("a=b=c&d&=e&&").parameters() == Parameters{{"a", "b=c"}, {"d", ""}, {"", "e"}});
  CHECK(QueryString("").parameters().empty());
}

TEST_CASE("the first parameter of a name is found; case matters") {
  const QueryString query("b=2&a=1&b=3&c=");
  CHECK(query.find("b") == "2");
  CHECK(query.find("c") == "");
  CHECK_FALSE(query.find("B"));
}

TEST_CASE("malformed escapes are left unchanged") {
  for (const char* broken : {"%", "%4", "%4x", "%x4", "a%", "%%", "% 4"})
    CHECK(percent_decode(broken) == broken);
  CHECK(percent_decode("%%41%4a%4A") == "%AJJ");
  CHECK(percent_decode(std::string("%00")) == std::string(1, '\0'));
}

TEST_CASE("all but unreserved characters are encoded") {
  CHECK(percent_encode("AZaz09-._~") == "AZaz09-._~");
  CHECK(percent_encode("a b/c+\xC3\xA9%") == "a%20b%2Fc%2B%C3%A9%25");
  CHECK(percent_encode("/a b/", "/") == "/a%20b/");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  CHECK(percent_decode(percent_encode(all)) == all);
}

TEST_CASE("text is split at its separators") {
  std::string_view rest = "a,,b";
  CHECK(take_until(rest, ',') == "a");
  CHECK(take_until(rest, ',') == "");
  CHECK(take_until(rest, ',') == "b");
  CHECK(rest.empty());
  CHECK(trimmed(" \t a b\t ") == "a b");
  CHECK(trimmed(" \t").empty());
}

}  // namespace
}  // namespace dinette::http::query_string_test
