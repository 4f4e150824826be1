#include <cstdlib>
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

/// Reads JSON when the statics of functions, made later, are destroyed; so do the background threads of a
/// server that is a static, until its destructor ends them. This program fails if that cannot be done.
struct ReadsAtExit {
  ~ReadsAtExit() {
    simdjson::dom::parser parser;
    simdjson::dom::element json;
    if (ParserInUse(parser).parse("[1, 2]", json) != simdjson::SUCCESS) std::abort();
  }
} const reads_at_exit;

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
