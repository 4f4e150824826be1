#include "dinette/base/json_error.h"

#include <catch2/catch.hpp>

namespace dinette::base::json_error_test {
namespace {

std::string error_in(std::string_view text) {
  const auto error = find_json_error(text);
  return error ? error->place() + ": " + error->reason : "";
}

TEST_CASE("JSON has no error, however deep it nests") {
  for (const char* text : {"{}", " [1, 2.5e3, \"\\u00e9\", null, true, {\"a\": []}] ", "7"})
    CHECK(error_in(text) == "");
  const std::string deep(100'000, '[');
  CHECK(error_in(deep + std::string(100'000, ']')) == "");
}

TEST_CASE("the first error has a line, a column and a reason") {
  CHECK(error_in("") == "line 1, column 1: unexpected end of input; expected '[', '{', or a literal");
  CHECK(error_in("{\"a\": 1,\n \"b\" 2}")
            .starts_with("line 2, column 6: unexpected number literal; expected ':'"));
  CHECK(error_in("{\"a\": 1,}").starts_with("line 1, column 9: unexpected '}'; expected string literal"));
  CHECK(error_in("{\"a\":\n\n").starts_with("line 3, column 1: unexpected end of input"));
  CHECK(error_in("{} {}").starts_with("line 1, column 4: unexpected '{'; expected end of input"));
}

TEST_CASE("columns count characters, not bytes") {
  CHECK(error_in("[\"\xc3\xa9\xf0\x9f\x98\x80\" x]").starts_with("line 1, column 7: invalid literal"));
  CHECK(error_in("[\"\xff\"]").starts_with("line 1, column 3: invalid string: ill-formed UTF-8 byte"));
}

TEST_CASE("the error has the byte at which reading failed, and nothing of the text") {
  const auto byte_in = [](std::string_view text) {
    const auto error = find_json_error(text);
    REQUIRE(error);
    INFO(error->reason);
    CHECK(error->reason.find("secret") == std::string::npos);
    return error->byte;
  };
  CHECK(byte_in("[\"secret\" secret]") == 11);
  CHECK(byte_in("[\"secret; last read: 'secret\n") == 29);
  CHECK(byte_in("[\"secret\"") == 9);
  CHECK(find_json_error("[1e999]")->reason == "number out of range");
}

}  // namespace
}  // namespace dinette::base::json_error_test
