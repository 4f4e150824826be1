#include "mcp/read_on.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "mcp/session.h"

namespace dinette::mcp::read_on_test {
namespace {

/// A table of so many items, of which a filter admits those whose number is divisible by `nth`.
struct Table {
  std::size_t items;
  std::size_t nth;
  std::size_t item_bytes = 1;
  std::vector<std::size_t> asked = {};

  ReadServicePage reader() {
    return [this](const Json& from, std::size_t most) -> base::Result<ServicePage, std::string> {
      asked.push_back(most);
      const std::size_t begin = from.is_null() ? 0 : from.get<std::size_t>();
      const std::size_t end = std::min(begin + most, items);
      ServicePage page;
      for (std::size_t at = begin; at < end; ++at) {
        if (at % nth == 0) page.items.push_back(std::to_string(at) + std::string(item_bytes, 'x'));
      }
      page.looked_at = end - begin;
      page.units = 0.5;
      page.explanation = {{"ScannedCount", end - begin}, {"CapacityUnits", 0.5}, {"Operation", "Scan"}};
      if (end < items) page.next = end;
      return page;
    };
  }

  FoundItems read(const PageStart& start, std::size_t limit) {
    auto found = read_on(start, limit, reader());
    REQUIRE(found.ok());
    return *std::move(found);
  }

  /// Returns the numbers of all items that pages of so many give.
  std::vector<std::size_t> all(std::size_t limit) {
    std::vector<std::size_t> numbers;
    PageStart start;
    for (;;) {
      const FoundItems found = read(start, limit);
      CHECK(found.page.results.size() <= limit);
      for (const Json& item : found.page.results) numbers.push_back(std::stoul(item.get<std::string>()));
      if (!found.page.next) return numbers;
      start = *read_page_start(found.page.next->token());
    }
  }
};

TEST_CASE("pages are read until enough items are found") {
  Table table{.items = 10'000, .nth = 100};
  const FoundItems found = table.read({}, 5);
  CHECK(found.page.results.size() == 5);
  CHECK_FALSE(found.stopped);
  CHECK(found.page.next.has_value());
  CHECK(table.asked == std::vector<std::size_t>{5, 20, 80, 320});
  CHECK(found.looked_at == 425U);
  CHECK(found.units == 2.0);
  CHECK(found.explanation == Json{{"ScannedCount", 425}, {"CapacityUnits", 2.0}, {"Operation", "Scan"}});
}

TEST_CASE("where each item is wanted, as many are read as are wanted") {
  Table table{.items = 100, .nth = 1};
  const FoundItems found = table.read({}, 25);
  CHECK(found.page.results.size() == 25);
  CHECK(table.asked == std::vector<std::size_t>{25});
  CHECK(found.page.next->service == 25);
}

TEST_CASE("each item comes once, in its order, however many a page has") {
  for (const std::size_t nth : {1, 7, 100, 3'000}) {
    std::vector<std::size_t> expected;
    for (std::size_t at = 0; at < 12'345; at += nth) expected.push_back(at);
    for (const std::size_t limit : {3, 25, 1'000}) {
      Table table{.items = 12'345, .nth = nth};
      INFO(nth << " " << limit);
      CHECK(table.all(limit) == expected);
    }
  }
  Table long_items{.items = 500, .nth = 3, .item_bytes = 9'000};
  CHECK(long_items.all(25).size() == 167);
}

TEST_CASE("after a limit of work what was found is returned, with where to go on") {
  Table table{.items = 1'200'000, .nth = 200'000};
  const FoundItems found = table.read({}, 25);
  CHECK(found.stopped);
  CHECK(found.page.results.size() == 3);
  CHECK(found.looked_at >= most_looked_at);
  CHECK(found.looked_at < most_looked_at + 10'000);
  REQUIRE(found.page.next.has_value());
  CHECK(found.page.next->service == *found.looked_at);
  CHECK(table.all(25).size() == 6);
}

TEST_CASE("a service that does not say what it looked at is asked for two hundred pages") {
  int pages = 0;
  const auto found = read_on({}, 25, [&](const Json&, std::size_t) -> base::Result<ServicePage, std::string> {
    ++pages;
    ServicePage page;
    page.next = pages;
    return page;
  });
  REQUIRE(found.ok());
  CHECK(pages == most_pages_read);
  CHECK(found->stopped);
  CHECK_FALSE(found->looked_at.has_value());
}

TEST_CASE("a token may skip more than there is") {
  Table table{.items = 30, .nth = 1};
  CHECK(table.read({nullptr, 5}, 100).page.results.size() == 25);
  CHECK(table.read({nullptr, 1'000'000'000'000}, 100).page.results.empty());
}

TEST_CASE("a failure of any page is that of the call") {
  const auto found =
      read_on({}, 25, [&](const Json& from, std::size_t) -> base::Result<ServicePage, std::string> {
        if (!from.is_null()) return base::Failure{std::string("gone")};
        ServicePage page;
        page.next = 1;
        return page;
      });
  CHECK(found.error() == "gone");
}

TEST_CASE("a scan that stops early says what it looked at, and how to go on") {
  test::Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{200, R"({"Items":[],"ScannedCount":300000,"LastEvaluatedKey":{"p":{"S":"a"}}})"};
  };
  const Json result =
      Json::parse(session.call("scan", R"({"table":"abc","filter":"x = :x","values":{":x":1}})"));
  CHECK(result["count"] == 0);
  CHECK(result["looked_at"] == 600'000);
  CHECK(result["note"] ==
        "looked at 600000 items and found 0 of 25; to look further, call again with next_page as 'page'");
  CHECK(result.contains("next_page"));
  CHECK(session.backend.asked.size() == 2);
}

TEST_CASE("an explanation is asked for and shown if the caller wants it") {
  test::Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{200, R"({"Items":[],"ScannedCount":4})",
                 R"({"Operation":"Scan","ScannedCount":4,"Count":0})"};
  };
  CHECK(
      session.call("scan", R"({"table":"abc","explain":true})") ==
      R"({"count":0,"explanation":{"Count":0,"Operation":"Scan","ScannedCount":4},"items":[],"looked_at":4})");
  CHECK(session.call("scan", R"({"table":"abc"})") == R"({"count":0,"items":[],"looked_at":4})");
  CHECK(session.backend.asked[0].starts_with("explained Scan "));
  CHECK(session.backend.asked[1].starts_with("Scan "));
  session.backend.answer = [](const std::string&) { return Reply{200, R"({"Items":[]})"}; };
  CHECK(
      session.call("query", R"({"table":"abc","key_condition":"p = :p","values":{":p":1},"explain":true})") ==
      R"({"count":0,"explanation":"the server gives none","items":[]})");
}

TEST_CASE("what a statement looked at is known from its explanation") {
  test::Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{200, R"({"Items":[]})", R"({"Operation":"Scan","ScannedCount":4,"CapacityUnits":0.5})"};
  };
  CHECK(session.call("execute_statement", R"({"statement":"SELECT * FROM abc WHERE x = 1"})") ==
        R"({"count":0,"items":[],"looked_at":4})");
}

}  // namespace
}  // namespace dinette::mcp::read_on_test
