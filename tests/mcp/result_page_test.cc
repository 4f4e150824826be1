#include "mcp/result_page.h"

#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

namespace dinette::mcp::result_page_test {
namespace {

TEST_CASE("a page that is too long is continued where it was cut") {
  Json results = Json::array();
  for (int i = 0; i < 10; ++i) results.push_back(std::to_string(i) + std::string(9'000, 'x'));
  const auto first = cut_page({}, results, "next");
  CHECK(first.results.size() == 4);
  REQUIRE(first.next.has_value());
  const auto start = read_page_start(first.next->token());
  REQUIRE(start.ok());
  CHECK(start->service == nullptr);
  const auto second = cut_page(*start, results, "next");
  CHECK(second.results.size() == 4);
  CHECK(second.results[0].get<std::string>().starts_with('4'));
  const auto third = cut_page(*read_page_start(second.next->token()), results, "next");
  CHECK(third.results.size() == 2);
  REQUIRE(third.next.has_value());
  CHECK(third.next->service == "next");
  CHECK(third.next->skipped == 0);
  CHECK_FALSE(cut_page({"next", 0}, {1}, nullptr).next.has_value());
}

TEST_CASE("one result is always there, and none behind the end") {
  const auto large = cut_page({}, {std::string(2 * most_result_bytes, 'x'), 1}, nullptr);
  CHECK(large.results.size() == 1);
  CHECK(large.next.has_value());
  CHECK(cut_page({nullptr, 5}, {1, 2}, nullptr).results.empty());
}

TEST_CASE("of an object's list one page is left") {
  Json object{{"name", "x"}, {"list", Json::array()}};
  for (int i = 0; i < 5; ++i) object["list"].push_back(std::to_string(i) + std::string(9'000, 'x'));
  const auto first = list_page("", object, "list");
  REQUIRE(first.ok());
  CHECK((*first)["name"] == "x");
  CHECK((*first)["list"].size() == 4);
  const auto second = list_page((*first)["next_page"], object, "list");
  CHECK((*second)["list"].size() == 1);
  CHECK_FALSE(second->contains("next_page"));
  CHECK(*list_page("", {{"list", 1}}, "list") == Json{{"list", 1}});
  CHECK_FALSE(list_page("x", object, "list").ok());
}

TEST_CASE("a text that is not a token is refused") {
  for (const std::string token : {"x", "e30=", "WzFd", "bm8="})
    CHECK(read_page_start(token).error() == "'page' is not the next_page of a result of this tool");
  CHECK_FALSE(read_page_start(base::base64_encode(R"({"from":1,"skip":-1})")).ok());
  CHECK(read_page_start("").ok());
}

TEST_CASE("of a long item the beginnings of its attributes are shown") {
  Json item{{"id", {{"N", "1"}}}, {"text", {{"S", std::string(50'000, 'x')}}}};
  const Json shown = shown_item(item);
  CHECK(shown["shortened"] == "this item has 50018 bytes as JSON; request some of its attributes by name");
  CHECK(shown["attributes"]["id"] == 1);
  CHECK(shown["attributes"]["text"].get<std::string>().ends_with("x... (50002 bytes)"));
  CHECK(text_of(shown).size() < 1'000);
  CHECK_FALSE(shown.contains("attributes_left_out"));
  for (int i = 0; i < 1'000; ++i) item["a" + std::to_string(i)] = {{"S", std::string(300, 'x')}};
  CHECK(text_of(shown_item(item)).size() < most_item_bytes + 10'000);
  CHECK(shown_item(item)["attributes_left_out"] > 0);
  CHECK(shown_item({{"id", {{"N", "1"}}}}) == Json{{"id", 1}});
}

}  // namespace
}  // namespace dinette::mcp::result_page_test
