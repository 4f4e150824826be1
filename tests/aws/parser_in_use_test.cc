#include <string>

#include <catch2/catch.hpp>

#include "dinette/aws/json.h"

namespace dinette::aws::parser_in_use_test {
namespace {

/// The capacity that a parser is left with after it has read `text`.
std::size_t capacity_after(simdjson::dom::parser& parser, const std::string& text) {
  {
    ParserInUse in_use(parser);
    simdjson::dom::element json;
    static_cast<void>(in_use.parse(text, json));
  }
  return parser.capacity();
}

std::string text_of(std::size_t bytes) {
  return '"' + std::string(bytes - 2, 'x') + '"';
}

TEST_CASE("a parser is kept after a small document and given up after a large one, good or bad") {
  simdjson::dom::parser parser;
  CHECK(capacity_after(parser, text_of(1'000)) > 0);
  CHECK(capacity_after(parser, text_of(kept_parser_bytes / 2)) > 0);
  CHECK(capacity_after(parser, text_of(kept_parser_bytes * 2)) == 0);
  CHECK(capacity_after(parser, text_of(1'000)) > 0);
  CHECK(capacity_after(parser, std::string(kept_parser_bytes * 2, '[')) == 0);
}

}  // namespace
}  // namespace dinette::aws::parser_in_use_test
