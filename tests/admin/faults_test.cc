#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::faults_test {
namespace {

const std::string faults_path = "/_dinette/faults";

ApiOptions knowing_no_operation_zap() {
  ApiOptions options;
  options.prepare_fault = [](tenancy::FaultRule& rule) {
    return rule.operation == "Zap" ? std::optional<std::string>("There is no Zap.") : std::nullopt;
  };
  return options;
}

tenancy::Faults& faults_of(Fixture& f, std::string_view world = "") {
  return f.worlds.pick(world).value()->faults();
}

}  // namespace

TEST_CASE("rules are put, listed with what they did, and deleted") {
  Fixture f;
  const TestJson none = {{"world", "default"}, {"faults", TestJson::array()}};
  CHECK(f.ok("GET", faults_path) == none);
  const TestJson put = f.ok("PUT", faults_path, R"({"rules": [
      {"operation": "Put", "table": "films", "nth": 2, "times": 3, "probability": 0.5, "seed": 9,
       "phase": "after", "error": {"type": "Busy", "message": "Not now."}, "delayMilliseconds": 20},
      {"drop": true}, {"unprocessed": {"items": [2, 3], "share": 0.5}}]})");
  const TestJson first = {{"operation", "Put"},
                          {"table", "films"},
                          {"nth", 2},
                          {"times", 3},
                          {"probability", 0.5},
                          {"seed", 9},
                          {"phase", "after"},
                          {"error", {{"type", "Busy"}, {"message", "Not now."}}},
                          {"delayMilliseconds", 20}};
  const TestJson second = {
      {"nth", 1}, {"probability", 1.0}, {"seed", 0}, {"phase", "before"}, {"drop", true}};
  const TestJson third = {{"nth", 1},
                          {"probability", 1.0},
                          {"seed", 0},
                          {"phase", "before"},
                          {"unprocessed", {{"items", {2, 3}}, {"share", 0.5}}}};
  CHECK(put == TestJson{{"world", "default"},
                        {"faults",
                         {{{"rule", first}, {"matched", 0}, {"fired", 0}},
                          {{"rule", second}, {"matched", 0}, {"fired", 0}},
                          {{"rule", third}, {"matched", 0}, {"fired", 0}}}}});
  faults_of(f).next({"Get"});
  faults_of(f).next({"Get"});
  const TestJson after = f.ok("GET", faults_path).at("faults");
  CHECK(after[0] == TestJson{{"rule", first}, {"matched", 0}, {"fired", 0}});
  CHECK(after[1] == TestJson{{"rule", second}, {"matched", 2}, {"fired", 2}});
  CHECK(f.ok("DELETE", faults_path) == none);
  CHECK(f.ok("GET", faults_path) == none);
  CHECK_FALSE(faults_of(f).any());
}

TEST_CASE("a rule is put as it was listed") {
  Fixture f;
  f.ok("PUT", faults_path,
       R"({"rules": [{"nth": 4, "error": {"type": "Busy"}}, {"times": 2, "delayMilliseconds": 1}]})");
  const TestJson listed = f.ok("GET", faults_path).at("faults");
  TestJson rules = TestJson::array();
  for (const TestJson& one : listed) rules.push_back(one.at("rule"));
  CHECK(f.ok("PUT", faults_path, TestJson{{"rules", rules}}.dump()).at("faults") == listed);
}

TEST_CASE("keys and delays are listed as they were put") {
  Fixture f;
  const TestJson rules = {
      {{"key", {{"id", {{"S", "a"}}}, {"at", {{"N", "1"}}}}}, {"drop", true}},
      {{"delayMilliseconds", {{"from", 0}, {"to", 20}}}},
      {{"delayMilliseconds", {{"mean", 100}}}},
  };
  const TestJson listed = f.ok("PUT", faults_path, TestJson{{"rules", rules}}.dump()).at("faults");
  CHECK(listed[0].at("rule").at("key") == rules[0].at("key"));
  for (const std::size_t i : {1U, 2U})
    CHECK(listed[i].at("rule").at("delayMilliseconds") == rules[i].at("delayMilliseconds"));
  using std::chrono::milliseconds;
  const auto faults = faults_of(f).list();
  CHECK(faults[0].rule.key == std::vector<tenancy::FaultAttribute>{{"at", "N", "1"}, {"id", "S", "a"}});
  CHECK((faults[1].rule.effect.delay.least == milliseconds(0) &&
         faults[1].rule.effect.delay.most == milliseconds(20)));
  CHECK((faults[2].rule.effect.delay.mean == milliseconds(100) &&
         faults[2].rule.effect.delay.most == milliseconds(600'000)));
}

TEST_CASE("the nth request alone is hit unless the rule says how many") {
  Fixture f;
  const auto times_of = [&](const std::string& members) {
    f.ok("PUT", faults_path, R"({"rules": [{"drop": true, )" + members + "}]}");
    return faults_of(f).list()[0].rule.times;
  };
  CHECK(times_of(R"("seed": 1)") == std::nullopt);
  CHECK(times_of(R"("nth": 3)") == 1);
  CHECK(times_of(R"("nth": 3, "times": 2)") == 2);
}

TEST_CASE("faults are those of one world") {
  Fixture f;
  f.ok("POST", "/_dinette/worlds", R"({"name": "one"})");
  CHECK(f.ok("PUT", faults_path, R"({"world": "one", "rules": [{"drop": true}]})").at("world") == "one");
  CHECK(faults_of(f, "one").any());
  CHECK_FALSE(faults_of(f).any());
  CHECK(f.ok("GET", faults_path + "?world=one").at("faults").size() == 1);
  f.ok("DELETE", faults_path);
  CHECK(faults_of(f, "one").any());
  f.ok("DELETE", faults_path + "?world=one");
  CHECK_FALSE(faults_of(f, "one").any());
}

TEST_CASE("rules that cannot be get 400, say which one it is, and change nothing") {
  Fixture f(knowing_no_operation_zap());
  f.ok("PUT", faults_path, R"({"rules": [{"drop": true}]})");
  for (const char* rule : {"1",
                           "{}",
                           R"({"operation": "Put"})",
                           R"({"drop": false})",
                           R"({"drop": 1})",
                           R"({"drop": true, "x": 1})",
                           R"({"drop": true, "error": {"type": "Busy"}})",
                           R"({"error": {}})",
                           R"({"error": "Busy"})",
                           R"({"error": {"type": ""}})",
                           R"({"error": {"type": "Busy", "message": ""}})",
                           R"({"error": {"type": "Busy", "status": 400}})",
                           R"({"error": {"message": "Not now."}})",
                           R"({"drop": true, "operation": ""})",
                           R"({"drop": true, "operation": 1})",
                           R"({"drop": true, "operation": "Zap"})",
                           R"({"drop": true, "table": ""})",
                           R"({"drop": true, "nth": 0})",
                           R"({"drop": true, "nth": 1.5})",
                           R"({"drop": true, "nth": 1e300})",
                           R"({"drop": true, "nth": "1"})",
                           R"({"drop": true, "times": 0})",
                           R"({"drop": true, "times": -1})",
                           R"({"drop": true, "probability": 0})",
                           R"({"drop": true, "probability": 1.1})",
                           R"({"drop": true, "seed": -1})",
                           R"({"drop": true, "phase": "during"})",
                           R"({"delayMilliseconds": 0})",
                           R"({"delayMilliseconds": 600001})",
                           R"({"delayMilliseconds": "1 s"})",
                           R"({"delayMilliseconds": {}})",
                           R"({"delayMilliseconds": {"from": 1}})",
                           R"({"delayMilliseconds": {"to": 1}})",
                           R"({"delayMilliseconds": {"from": 2, "to": 1}})",
                           R"({"delayMilliseconds": {"from": 0, "to": 0}})",
                           R"({"delayMilliseconds": {"from": 1, "to": 600001}})",
                           R"({"delayMilliseconds": {"mean": 0}})",
                           R"({"delayMilliseconds": {"mean": 5, "from": 1, "to": 2}})",
                           R"({"delayMilliseconds": {"p99": 5}})",
                           R"({"drop": true, "key": {}})",
                           R"({"drop": true, "key": "a"})",
                           R"({"drop": true, "key": ["a"]})",
                           R"({"drop": true, "key": {"id": "a"}})",
                           R"({"drop": true, "key": {"id": {}}})",
                           R"({"drop": true, "key": {"id": {"N": 1}}})",
                           R"({"drop": true, "key": {"id": {"S": "a", "N": "1"}}})",
                           R"({"unprocessed": {}})",
                           R"({"unprocessed": 1})",
                           R"({"unprocessed": {"items": []}})",
                           R"({"unprocessed": {"items": [0]}})",
                           R"({"unprocessed": {"items": [1.5]}})",
                           R"({"unprocessed": {"items": 1}})",
                           R"({"unprocessed": {"share": 0}})",
                           R"({"unprocessed": {"share": 2}})",
                           R"({"unprocessed": {"share": 1, "x": 1}})",
                           R"({"unprocessed": {"share": 1}, "drop": true})",
                           R"({"unprocessed": {"share": 1}, "phase": "after"})"}) {
    INFO(rule);
    const Response response =
        f.send("PUT", faults_path, R"({"rules": [{"drop": true}, )" + std::string(rule) + "]}");
    CHECK(response.status == 400);
    CHECK(response.code() == "BadRequest");
    CHECK(response.message().starts_with("Rule 2: "));
  }
  for (const char* body : {"{}", R"({"rules": null})", R"({"rules": {}})", R"({"rules": [], "x": 1})",
                           R"({"rules": [], "world": "nothing"})"}) {
    INFO(body);
    CHECK(f.send("PUT", faults_path, body).status == 400);
  }
  CHECK(f.ok("GET", faults_path).at("faults").size() == 1);
}

}  // namespace dinette::admin::faults_test
