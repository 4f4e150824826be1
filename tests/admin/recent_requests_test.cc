#include "dinette/observe/recent_requests.h"

#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::recent_requests_test {
namespace {

using namespace std::chrono_literals;

struct Observed {
  observe::RecentRequests recent;
  Fixture f{{.recent = &recent}};

  TestJson read(const std::string& query = "") { return f.ok("GET", "/_dinette/requests" + query); }
};

observe::RecentRequest scan() {
  observe::RecentRequest request{.time = Fixture::start, .id = "ID", .operation = "Scan", .status = 200};
  request.duration = 120us;
  request.details.world = "copy";
  request.details.table("Music").read_units = 1.5;
  request.details.add_counts(4, 2);
  request.request = observe::BodyText::of("{}");
  request.response = observe::BodyText::of("\xFF");
  request.remote = "127.0.0.1:40312";
  request.agent = "Boto3/1.43";
  return request;
}

}  // namespace

TEST_CASE("requests are listed with all that is known of them") {
  Observed o;
  CHECK(o.read() == TestJson{{"requests", TestJson::array()}, {"last", 0}, {"missed", 0}});
  o.recent.add(scan());
  const TestJson one = {{"number", 1},
                        {"id", "ID"},
                        {"time", "2026-01-31T08:00:00.000Z"},
                        {"world", "copy"},
                        {"operation", "Scan"},
                        {"tables", {{{"name", "Music"}, {"readUnits", 1.5}, {"writeUnits", 0.0}}}},
                        {"status", 200},
                        {"microseconds", 120},
                        {"readUnits", 1.5},
                        {"writeUnits", 0.0},
                        {"scanned", 4},
                        {"returned", 2},
                        {"client", {{"address", "127.0.0.1:40312"}, {"agent", "Boto3/1.43"}}},
                        {"request", {{"text", "{}"}, {"bytes", 2}, {"cut", false}}},
                        {"response", {{"text", "\xEF\xBF\xBD"}, {"bytes", 1}, {"cut", false}}}};
  CHECK(o.read().at("requests") == TestJson::array({one}));
  CHECK(o.read("?after=1").at("requests").empty());
  CHECK(o.read("?world=default").at("requests").empty());
  CHECK(o.read("?world=copy").at("requests").size() == 1);
}

TEST_CASE("errors, traces and explanations are listed where there are some") {
  Observed o;
  o.read();
  auto request = scan();
  request.error = "ValidationException";
  request.trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  request.explanation = "{}";
  request.details.counts.reset();
  o.recent.add(request);
  const TestJson one = o.read().at("requests").at(0);
  CHECK(one.at("error") == "ValidationException");
  CHECK(one.at("trace") == request.trace);
  CHECK(one.at("explanation") == "{}");
  CHECK_FALSE(one.contains("scanned"));
}

TEST_CASE("what a fault did, and what a write made of its item, are listed where there is something") {
  Observed o;
  o.recent.add(scan());
  for (const char* absent : {"injected", "before", "after"})
    CHECK_FALSE(o.read().at("requests").at(0).contains(absent));
  auto request = scan();
  request.details.injected = true;
  request.details.changes.push_back({.before = observe::BodyText::of("{}"), .after = {}});
  o.recent.add(request);
  const TestJson one = o.read().at("requests").at(1);
  CHECK(one.at("injected") == true);
  CHECK(one.at("before") == TestJson{{"text", "{}"}, {"bytes", 2}, {"cut", false}});
  CHECK_FALSE(one.contains("after"));
  request.details.changes.emplace_back();
  o.recent.add(request);
  CHECK_FALSE(o.read().at("requests").at(2).contains("before"));
}

TEST_CASE("a limit says how many requests to list") {
  Observed o;
  o.read();
  for (int i = 0; i < 150; ++i) o.recent.add(scan());
  CHECK(o.read().at("requests").size() == 100);
  const TestJson page = o.read("?limit=7&after=10");
  CHECK(page.at("requests").size() == 7);
  CHECK(page.at("last") == 17);
}

TEST_CASE("parameters that are not numbers within their range are refused") {
  Observed o;
  for (const std::string query :
       {"?after=-1", "?after=x", "?after=1x", "?after=", "?wait=30001", "?limit=0", "?limit=1001"}) {
    INFO(query);
    CHECK(o.f.send("GET", "/_dinette/requests" + query).code() == "BadRequest");
  }
  CHECK(o.f.send("GET", "/_dinette/requests?limit=0").message() ==
        "The parameter 'limit' is a whole number from 1 to 1000.");
}

}  // namespace dinette::admin::recent_requests_test
