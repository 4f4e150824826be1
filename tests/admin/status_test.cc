#include <catch2/catch.hpp>

#include "dinette/observe/report.h"

#include "admin/fixture.h"

namespace dinette::admin::status_test {

TEST_CASE("the status of a world is plain until somebody changes it") {
  Fixture f;
  const TestJson status = f.ok("GET", "/_dinette/status");
  CHECK(status.at("world") == "default");
  CHECK(status.at("clock").at("frozen") == false);
  CHECK(status.at("clock").at("rate") == 1.0);
  CHECK(status.at("faults") == TestJson{{"rules", 0}, {"fired", 0}});
  CHECK(status.at("recordingReport") == false);
}

TEST_CASE("the status says what was changed in its own world, and that recording is on in all") {
  base::ManualClock clock{Fixture::start};
  observe::Reports reports{clock};
  Fixture f{{.reports = &reports}};
  f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  f.ok("PUT", "/_dinette/clock", R"({"world": "copy", "frozen": true})");
  f.ok("PUT", "/_dinette/faults", R"({"world": "copy", "rules": [{"drop": true}, {"drop": true}]})");
  f.ok("PUT", "/_dinette/report", R"({"recording": true})");
  const TestJson copy = f.ok("GET", "/_dinette/status?world=copy");
  CHECK(copy.at("clock").at("frozen") == true);
  CHECK(copy.at("faults").at("rules") == 2);
  CHECK(copy.at("recordingReport") == true);
  const TestJson origin = f.ok("GET", "/_dinette/status");
  CHECK(origin.at("clock").at("frozen") == false);
  CHECK(origin.at("faults").at("rules") == 0);
  CHECK(origin.at("recordingReport") == true);
  CHECK(f.send("GET", "/_dinette/status?world=none").status == 400);
}

}  // namespace dinette::admin::status_test
