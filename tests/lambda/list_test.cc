#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/http/query_string.h"

#include "lambda/fixture.h"

// docs/service/triggers.md section 1.4.
namespace test::lambda::list_test {
namespace {

/// The functions of the mappings that a query lists, without the rest of their ARNs.
std::vector<std::string> functions(Lambda& l, const std::string& query = {}) {
  const Reply reply = l.list(query);
  INFO(query << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  std::vector<std::string> names;
  const Json page = reply.json();
  for (const Json& mapping : page.at("EventSourceMappings")) {
    const std::string arn = mapping.at("FunctionArn");
    names.push_back(arn.substr(arn.find("function:") + 9));
  }
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

std::string as_query(const std::string& text) {
  return dinette::http::percent_encode(text);
}

}  // namespace

TEST_CASE("mappings are listed as they are described") {
  Lambda l;
  CHECK(l.list().body == R"({"EventSourceMappings":[]})");
  const std::string uuid = l.map("work");
  CHECK(l.list().json() == Json{{"EventSourceMappings", Json::array({l.get(uuid).json()})}});
}

TEST_CASE("the filter of functions is exact, qualifier included, and that of streams is, too") {
  Lambda l;
  for (const char* name : {"work", "work:live", "work:$LATEST", "works"}) l.map(name);
  l.map("work", kinesis_stream);
  CHECK(functions(l).size() == 5);
  CHECK(functions(l, "FunctionName=work") == Names{"work", "work"});
  CHECK(functions(l, "FunctionName=work%3Alive") == Names{"work:live"});
  CHECK(functions(l, "FunctionName=work:%24LATEST") == Names{"work:$LATEST"});
  CHECK(functions(l, "EventSourceArn=" + as_query(kinesis_stream)) == Names{"work"});
  CHECK(functions(l, "FunctionName=work&EventSourceArn=" + as_query(table_stream)) == Names{"work"});
  const std::string arn = "arn:aws:lambda:us-east-1:000000000000:function:work:live";
  CHECK(functions(l, "FunctionName=" + as_query(arn)) == Names{"work:live"});
  CHECK(functions(l, "FunctionName=000000000000:work:live") == Names{"work:live"});
}

TEST_CASE("unknown functions and streams have none") {
  Lambda l;
  l.map("work");
  CHECK(functions(l, "FunctionName=wor").empty());
  CHECK(functions(l, "FunctionName=123456789012:function:work").empty());
  CHECK(functions(l, "FunctionName=" + as_query("arn:aws:lambda:eu-west-1:000000000000:function:work"))
            .empty());
  CHECK(functions(l, "EventSourceArn=" + as_query(kinesis_stream)).empty());
}

TEST_CASE("pages have as many as are asked for, 100 at most, and every mapping is in one") {
  Lambda l;
  for (int i = 0; i < 105; ++i) l.map("work" + std::to_string(i));
  CHECK(l.list().json().at("EventSourceMappings").size() == 100);
  CHECK(l.list("MaxItems=10000").json().at("EventSourceMappings").size() == 100);
  for (const std::string most : {"1", "35", "104", "105"}) {
    std::set<std::string> seen;
    std::string marker;
    int pages = 0;
    do {
      const Json page = l.list("MaxItems=" + most + "&Marker=" + as_query(marker)).json();
      CHECK(page.at("EventSourceMappings").size() <= std::stoul(most));
      for (const Json& mapping : page.at("EventSourceMappings"))
        CHECK(seen.insert(mapping.at("UUID")).second);
      marker = page.value("NextMarker", "");
      ++pages;
    } while (!marker.empty());
    CHECK(seen.size() == 105);
    CHECK(pages == (105 + std::min(std::stoi(most), 100) - 1) / std::min(std::stoi(most), 100));
  }
}

TEST_CASE("a filter counts for the page, not for what is passed over") {
  Lambda l;
  for (int i = 0; i < 20; ++i) l.map("other" + std::to_string(i));
  l.map("work");
  l.map("work", kinesis_stream);
  const Json page = l.list("MaxItems=2&FunctionName=work").json();
  CHECK(page.at("EventSourceMappings").size() == 2);
  CHECK_FALSE(page.contains("NextMarker"));
  CHECK(l.list("MaxItems=1&FunctionName=work").json().contains("NextMarker"));
}

TEST_CASE("a page has 1 to 10000 mappings, and begins after a marker that was given out") {
  Lambda l;
  const std::string violated = "400 ValidationException: 1 validation error detected: Value '";
  const std::string constraint = "' at 'maxItems' failed to satisfy constraint: Member must have value ";
  CHECK(l.list("MaxItems=0").refusal() == violated + "0" + constraint + "greater than or equal to 1");
  CHECK(l.list("MaxItems=10001").refusal() ==
        violated + "10001" + constraint + "less than or equal to 10000");
  CHECK(l.list("Marker=%21").refusal() == "400 InvalidParameterValueException User: Marker is not valid.");
}

}  // namespace test::lambda::list_test
