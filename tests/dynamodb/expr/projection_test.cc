#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"
#include "support/random_seed.h"

namespace dinette::dynamodb::expr::projection_test {
namespace {

using notation::Json;
using notation::refusal;
using notation::Request;

const std::string overlap =
    "Two document paths overlap with each other; must remove or rewrite one of these paths; ";
const std::string conflict =
    "Two document paths conflict with each other; must remove or rewrite one of these paths; ";

TEST_CASE("paths that overlap or conflict are refused, overlaps first, and the first pair in written order") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"a, a", overlap + "path one: [a], path two: [a]"},
      {"a.b, a", overlap + "path one: [a, b], path two: [a]"},
      {"a, a.b", overlap + "path one: [a], path two: [a, b]"},
      {"l, l[0]", overlap + "path one: [l], path two: [l, [0]]"},
      {"a.b.c, a.b", overlap + "path one: [a, b, c], path two: [a, b]"},
      {"#a, a", overlap + "path one: [a], path two: [a]"},
      {"z, a, b, c, b, a", overlap + "path one: [b], path two: [b]"},
      {"a.b.c, a.b.d, x, a.b", overlap + "path one: [a, b, c], path two: [a, b]"},
      {"l[1], l[01]", overlap + "path one: [l, [1]], path two: [l, [1]]"},
      {"a.b, a[0]", conflict + "path one: [a, b], path two: [a, [0]]"},
      {"a[0].x, b, a.b.c", conflict + "path one: [a, [0], x], path two: [a, b, c]"},
      {"a.b, a[0], a", overlap + "path one: [a, b], path two: [a]"},
  };
  for (const auto& [text, problem] : rows) {
    CAPTURE(text);
    CHECK(refusal(Kind::projection, text, R"({"#a":"a"})") == "Invalid ProjectionExpression: " + problem);
  }
  // A dot inside a placeholder's name separates nothing.
  CHECK(refusal(Kind::projection, "a, #a", R"({"#a":"a.b"})").empty());
  for (const std::string text :
       {"a.b, a.c", "l[0].x, l[0].y", "l[0], l[2]", "a, b", "a.b, b.a", "a.b.c, a.c.b"}) {
    CAPTURE(text);
    CHECK(refusal(Kind::projection, text).empty());
  }
}

/// Names, and positions as `[1]`.
using Steps = std::vector<std::string>;

/// The sentence that refuses the two; empty if they stand apart.
std::string problem_of(const Steps& one, const Steps& two) {
  const auto printed_path = [](const Steps& path) {
    std::string text;
    for (const std::string& step : path) text += (text.empty() ? "[" : ", ") + step;
    return text + "]";
  };
  const auto is_position = [](const std::string& step) { return step.front() == '['; };
  std::size_t same = 0;
  while (same < one.size() && same < two.size() && one[same] == two[same]) ++same;
  const bool ends = same == one.size() || same == two.size();
  if (!ends && is_position(one[same]) == is_position(two[same])) return "";
  return (ends ? overlap : conflict) + "path one: " + printed_path(one) + ", path two: " + printed_path(two);
}

/// The pair that is reported, found by looking at every pair: the first that overlaps, else the first that
/// conflicts.
std::string first_pair(const std::vector<Steps>& paths) {
  for (const std::string& wanted : {overlap, conflict}) {
    for (std::size_t second = 0; second < paths.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        const std::string problem = problem_of(paths[first], paths[second]);
        if (problem.starts_with(wanted)) return "Invalid ProjectionExpression: " + problem;
      }
    }
  }
  return "";
}

TEST_CASE("the first pair of many paths that overlap or conflict, found in every order") {
  std::mt19937 random(dinette::test::random_seed());
  const std::string letters = "xyzuvw";
  for (int round = 0; round < 3'000; ++round) {
    std::vector<Steps> paths(2 + random() % 10);
    std::string text;
    for (Steps& path : paths) {
      std::string written;
      for (std::size_t depth = 1 + random() % 4; depth > 0; --depth) {
        const bool position = !path.empty() && random() % 3 == 0;
        path.push_back(position ? "[" + std::to_string(random() % 3) + "]"
                                : std::string(1, letters[random() % letters.size()]));
        written += (path.size() == 1 || position ? "" : ".") + path.back();
      }
      text += (text.empty() ? "" : ", ") + written;
    }
    CAPTURE(text);
    CHECK(refusal(Kind::projection, text) == first_pair(paths));
  }
}

const model::Item stored = notation::item(R"({
  "pk":{"S":"1"}, "a":{"M":{"b":{"S":"ab"},"c":{"M":{"d":{"N":"1"},"e":{"N":"2"}}}}},
  "l":{"L":[{"S":"0"},{"M":{"x":{"N":"10"},"y":{"N":"11"},"z":{"N":"12"}}},{"S":"2"},{"L":[{"S":"30"},{"S":"31"}]}]},
  "a.b":{"S":"dotted"}
})");

Json projected(std::string_view text, std::string_view names = "{}") {
  CAPTURE(text);
  Request request(names);
  const auto parsed = parse(Kind::projection, text, SizeTail::omitted);
  REQUIRE(parsed.ok());
  const auto projection = bind_projection(*parsed, request.placeholders);
  REQUIRE(projection.ok());
  return notation::json(projection->project(stored));
}

TEST_CASE("what a projection keeps") {
  struct Row {
    std::string text, expected;
  };
  const std::vector<Row> rows = {
      {"pk", R"({"pk":{"S":"1"}})"},
      {"x", "{}"},
      {"pk, x", R"({"pk":{"S":"1"}})"},
      {"a.b", R"({"a":{"M":{"b":{"S":"ab"}}}})"},
      {"a.c.e, a.b", R"({"a":{"M":{"b":{"S":"ab"},"c":{"M":{"e":{"N":"2"}}}}}})"},
      {"a.x", "{}"},
      {"a.x, a.c.x", "{}"},
      {"a.x, a.c.d", R"({"a":{"M":{"c":{"M":{"d":{"N":"1"}}}}}})"},
      {"l[0]", R"({"l":{"L":[{"S":"0"}]}})"},
      {"l[2], l[0]", R"({"l":{"L":[{"S":"0"},{"S":"2"}]}})"},
      {"l[2], l[10], l[0]", R"({"l":{"L":[{"S":"0"},{"S":"2"}]}})"},
      {"l[1].z, l[0], l[1].x", R"({"l":{"L":[{"S":"0"},{"M":{"x":{"N":"10"},"z":{"N":"12"}}}]}})"},
      {"l[3][1], l[1].y", R"({"l":{"L":[{"M":{"y":{"N":"11"}}},{"L":[{"S":"31"}]}]}})"},
      {"l[9]", "{}"},
      {"l[0].x", "{}"},
      {"l.x", "{}"},
      {"a[0]", "{}"},
      {"pk.x, pk2", "{}"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(projected(row.text) == Json::parse(row.expected));
  }
  CHECK(projected("#d", R"({"#d":"a.b"})") == Json::parse(R"({"a.b":{"S":"dotted"}})"));
}

TEST_CASE("positions are ordered as numbers") {
  std::string elements;
  for (int i = 0; i < 12; ++i)
    elements += (i == 0 ? "" : ",") + std::string(R"({"N":")") + std::to_string(i) + R"("})";
  const model::Item item = notation::item(R"({"l":{"L":[)" + elements + "]}}");
  Request request;
  const auto projection = bind_projection(
      parse(Kind::projection, "l[10], l[9], l[2]", SizeTail::omitted).value(), request.placeholders);
  CHECK(notation::json(projection->project(item)) ==
        Json::parse(R"({"l":{"L":[{"N":"2"},{"N":"9"},{"N":"10"}]}})"));
}

TEST_CASE("the attributes a projection touches") {
  Request request(R"({"#z":"zed"})");
  const auto bound = [&](std::string_view text) {
    return bind_projection(parse(Kind::projection, text, SizeTail::omitted).value(), request.placeholders)
        .value();
  };
  CHECK(bound("#z, b.y, a, b.x").attributes() == std::vector<std::string_view>{"a", "b", "zed"});
}

}  // namespace
}  // namespace dinette::dynamodb::expr::projection_test
