#include "dinette/observe/report.h"

#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::report_test {
namespace {

struct Reported {
  base::ManualClock clock{Fixture::start};
  observe::Reports reports{clock};
  Fixture f{{.reports = &reports}};

  void add(const std::string& world) {
    observe::RequestDetails details;
    details.world = world;
    details.table("Music").read_units = 2;
    details.touched.push_back({"Music", "pk = 'a'", "pk = 'a' AND sk = 1", 70});
    details.add_counts(4, 1);
    reports.add("Query", "ValidationException", details);
  }
};

}  // namespace

TEST_CASE("a report has lines, keys and an estimate of the cost") {
  Reported r;
  r.add("default");
  const TestJson report = r.f.ok("GET", "/_dinette/report");
  CHECK(report.at("world") == "default");
  CHECK(report.at("recording") == false);
  CHECK(report.at("since") == "2026-01-31T08:00:00.000Z");
  CHECK(report.at("operations") == TestJson::array({{{"table", "Music"},
                                                     {"operation", "Query"},
                                                     {"requests", 1},
                                                     {"errors", {{"ValidationException", 1}}},
                                                     {"readUnits", 2.0},
                                                     {"writeUnits", 0.0},
                                                     {"scanned", 4},
                                                     {"returned", 1},
                                                     {"withoutKey", 0},
                                                     {"filteredShare", 0.75}}}));
  CHECK(report.at("hotPartitions") ==
        TestJson::array({{{"table", "Music"}, {"key", "pk = 'a'"}, {"requests", 1}, {"atMostOver", 0}}}));
  CHECK(report.at("biggestItems") ==
        TestJson::array({{{"table", "Music"}, {"key", "pk = 'a' AND sk = 1"}, {"bytes", 70}}}));
  CHECK(report.at("cost").at("reads") == Approx(0.25e-6));
}

TEST_CASE("the storage of a world has a price") {
  Reported r;
  r.f.put("", std::string(1024, 'x'));
  const TestJson cost = r.f.ok("GET", "/_dinette/report").at("cost");
  CHECK(cost.at("storagePerMonth") == Approx(0.25 / 1024 / 1024));
}

TEST_CASE("recording is switched on and off") {
  Reported r;
  CHECK(r.f.ok("PUT", "/_dinette/report", R"({"recording": true})").at("recording") == true);
  CHECK(r.reports.recording());
  CHECK(r.f.ok("PUT", "/_dinette/report", R"({"recording": false})").at("recording") == false);
  CHECK_FALSE(r.reports.recording());
  CHECK(r.f.send("PUT", "/_dinette/report", "{}").message() ==
        "The member 'recording' is missing: true or false.");
}

TEST_CASE("a report belongs to a world, and can begin again") {
  Reported r;
  r.f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  r.add("copy");
  r.add("default");
  CHECK(r.f.ok("GET", "/_dinette/report?world=copy").at("operations").size() == 1);
  CHECK(r.f.ok("DELETE", "/_dinette/report?world=copy").at("operations").empty());
  CHECK(r.f.ok("GET", "/_dinette/report?world=copy").at("operations").empty());
  CHECK(r.f.ok("GET", "/_dinette/report").at("operations").size() == 1);
  CHECK(r.f.send("GET", "/_dinette/report?world=none").status == 400);
}

TEST_CASE("a report is text for those who ask for it") {
  Reported r;
  r.add("default");
  const Response text =
      r.f.send("GET", "/_dinette/report", "", {{"Host", "localhost"}, {"Accept", "text/plain"}});
  CHECK(text.status == 200);
  CHECK(text.body == observe::text_of(r.reports.of("default")));
}

}  // namespace dinette::admin::report_test
