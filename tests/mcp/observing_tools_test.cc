// Tools that show what a server did: recent requests, the report, metrics; and those that have it do
// something wrong: faults.

#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "mcp/session.h"

namespace dinette::mcp::observing_tools_test {
namespace {

/// What a tool asks for, and what it answers if the server says `reply`.
struct Run {
  test::Session session{true};

  explicit Run(const std::string& reply) {
    session.backend.answer = [reply](const std::string&) { return Reply{200, reply}; };
  }

  std::string call(const std::string& tool, const std::string& arguments) {
    const std::string text = session.call(tool, arguments);
    std::string all;
    for (const std::string& asked : session.backend.asked) all += asked + "\n";
    session.backend.asked.clear();
    return all + text;
  }

  Json result(const std::string& tool, const std::string& arguments) {
    return Json::parse(session.call(tool, arguments));
  }
};

constexpr const char* two_requests =
    R"({"requests":[
         {"number":7,"id":"I","time":"T1","world":"default","operation":"Query","tables":[{"name":"Music","readUnits":0.5}],
          "status":200,"microseconds":112,"readUnits":0.5,"writeUnits":0.0,"scanned":3,"returned":1,
          "request":{"text":"{\"TableName\":\"Music\"}","bytes":21,"cut":false},"response":{"text":"{}","bytes":2,"cut":false}},
         {"number":8,"id":"J","time":"T2","world":"w","operation":"PutItem","tables":[{"name":"Notes"}],"status":400,
          "error":"ValidationException","injected":true,"client":{"address":"a","agent":"Boto3"},"microseconds":35,
          "after":{"text":"{}","bytes":2,"cut":false},"request":{"text":"{","bytes":99,"cut":true},
          "response":{"text":"{\"__type\":\"a#ValidationException\",\"message\":\"Missing the key id\"}","bytes":60,"cut":false}}],
        "last":8,"missed":0})";

TEST_CASE("recent requests come newest first, with the message of each error") {
  Run run(two_requests);
  const Json result = run.result("recent_requests", "{}");
  CHECK(run.session.backend.asked.front() == "GET /_dinette/requests?limit=1000");
  CHECK(result["last"] == 8);
  CHECK(result["requests"][0] ==
        Json::parse(
            R"({"number":8,"time":"T2","world":"w","operation":"PutItem","tables":["Notes"],"status":400,
                        "error":"ValidationException","message":"Missing the key id","microseconds":35,"injected":true,
                        "client":"Boto3"})"));
  CHECK(result["requests"][1] ==
        Json::parse(
            R"({"number":7,"time":"T1","world":"default","operation":"Query","tables":["Music"],"status":200,
                        "microseconds":112,"readUnits":0.5,"writeUnits":0.0,"scanned":3,"returned":1})"));
  CHECK_FALSE(result.contains("next_page"));
  CHECK_FALSE(result.contains("note"));
}

TEST_CASE("recent requests can be selected") {
  Run run(two_requests);
  const auto numbers = [&](const std::string& arguments) {
    const Json result = run.result("recent_requests", arguments);
    std::string all;
    for (const Json& one : result["requests"]) all += one["number"].dump() + " ";
    return all;
  };
  CHECK(numbers("{}") == "8 7 ");
  CHECK(numbers(R"({"errors":true})") == "8 ");
  CHECK(numbers(R"({"errors":false})") == "8 7 ");
  CHECK(numbers(R"({"operation":"Query"})") == "7 ");
  CHECK(numbers(R"({"table":"Music"})") == "7 ");
  CHECK(numbers(R"({"table":"Music","errors":true})").empty());
  run.session.backend.asked.clear();
  CHECK(numbers(R"({"world":"w","after":6})") == "8 7 ");
  CHECK(run.session.backend.asked.front() == "GET /_dinette/requests?limit=1000&world=w&after=6");
}

TEST_CASE("bodies of recent requests are shown if they are wanted, cut") {
  Run run(two_requests);
  const Json shown = run.result("recent_requests", R"({"bodies":true})")["requests"];
  CHECK(shown[1]["request"] == R"({"TableName":"Music"})");
  CHECK(shown[0]["request"] == "{...");
  const std::string body(5'000, 'x');
  Run large(Json{{"requests", Json::array({{{"number", 1}, {"request", {{"text", body}, {"cut", false}}}}})}}
                .dump());
  CHECK(large.result("recent_requests", R"({"bodies":true})")["requests"][0]["request"] ==
        std::string(2'000, 'x') + "...");
}

TEST_CASE("recent requests come in pages, by their number") {
  Json requests = Json::array();
  for (int i = 1; i <= 50; ++i)
    requests.push_back({{"number", i}, {"operation", i % 2 == 0 ? "GetItem" : "Scan"}});
  Run run(Json{{"requests", requests}, {"last", 50}}.dump());
  std::string seen;
  Json arguments{{"limit", 10}, {"operation", "GetItem"}};
  for (int pages = 0; pages < 3; ++pages) {
    const Json result = run.result("recent_requests", arguments.dump());
    for (const Json& one : result["requests"]) seen += one["number"].dump() + " ";
    CHECK(result.contains("next_page") == (pages < 2));
    if (result.contains("next_page")) arguments["page"] = result["next_page"];
  }
  std::string expected;
  for (int i = 50; i > 0; i -= 2) expected += std::to_string(i) + " ";
  CHECK(seen == expected);
  CHECK(run.result("recent_requests", "{}")["requests"].size() == 20);
}

TEST_CASE("recent requests are cut to the size of a result, and continued there") {
  Json requests = Json::array();
  for (int i = 1; i <= 100; ++i)
    requests.push_back({{"number", i}, {"response", {{"text", std::string(1'900, 'x')}, {"cut", false}}}});
  Run run(Json{{"requests", requests}, {"last", 100}}.dump());
  Json arguments{{"limit", 100}, {"bodies", true}};
  int expected = 100;
  while (expected > 0) {
    const std::string text = run.session.call("recent_requests", arguments.dump());
    CHECK(text.size() < 45'000);
    const Json result = Json::parse(text);
    for (const Json& one : result["requests"]) CHECK(one["number"] == expected--);
    if (!result.contains("next_page")) break;
    arguments["page"] = result["next_page"];
  }
  CHECK(expected == 0);
}

TEST_CASE("before requests are recorded the caller learns that they are now") {
  CHECK_THAT(Run(R"({"requests":[],"last":0,"missed":0})")
                 .result("recent_requests", "{}")["note"]
                 .get<std::string>(),
             Catch::StartsWith("there is none; if the server was started with --requests 0"));
  CHECK(Run("[]").session.call("recent_requests", "{}") == "error: the server lists no requests");
}

TEST_CASE("the report of a world is shown, and recorded if writes are allowed") {
  Run run(R"({"world":"default","recording":true,"operations":[{"requests":1}]})");
  CHECK(run.call("report", R"({"world":"w"})") ==
        "GET /_dinette/report?world=w\n"
        R"({"operations":[{"requests":1}],"recording":true,"world":"default"})");
  CHECK(run.call("record_report", R"({"recording":true})") ==
        "PUT /_dinette/report {\"recording\":true}\n{\"recording\":true}");
  CHECK(run.call("record_report", R"({"recording":false,"clear":true,"world":"w"})") ==
        "DELETE /_dinette/report?world=w\nPUT /_dinette/report?world=w "
        "{\"recording\":false}\n{\"recording\":true}");
  CHECK(Run(R"({"recording":false,"operations":[]})").result("report", "{}")["note"] ==
        "nothing is being recorded; record_report, or dinette --report, begins");
}

TEST_CASE("amounts with many digits are numbers, for they are not of items") {
  const Json result = Run(R"({"cost":{"reads":0.008211354492232203}})").result("report", "{}");
  CHECK(result["cost"]["reads"] == 0.008211354492232203);
}

TEST_CASE("metrics are summed up, or shown as they are") {
  Run run("# HELP x y\ndinette_worlds 1\ndinette_jobs_waiting 0\n");
  CHECK(run.call("metrics", "{}") ==
        "GET /_dinette/metrics\n"
        R"({"operations":[],"tables":[],"totals":{"jobs_waiting":0,"worlds":1}})");
  CHECK(run.call("metrics", R"({"containing":"worlds"})") ==
        "GET /_dinette/metrics\n"
        R"({"samples":["dinette_worlds 1"]})");
  CHECK(Run("").session.call("metrics", "{}") ==
        "error: there are no metrics: only a running server of Dinette has some");
  test::Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{401, R"({"error":{"message":"a token"}})"};
  };
  CHECK(session.call("metrics", "{}") == "error: a token");
}

TEST_CASE("faults are listed, injected and cleared") {
  Run run(R"({"world":"default","faults":[{"matched":1}]})");
  const std::string listed =
      "\n"
      R"({"faults":[{"matched":1}],"world":"default"})";
  CHECK(run.call("list_faults", R"({"world":"w"})") == "GET /_dinette/faults?world=w" + listed);
  CHECK(
      run.call("inject_faults",
               R"({"rules":[{"operation":"PutItem","key":{"id":1},"drop":true},{"times":1}]})") ==
      R"(PUT /_dinette/faults {"rules":[{"drop":true,"key":{"id":{"N":"1"}},"operation":"PutItem"},{"times":1}]})" +
          listed);
  CHECK(run.call("clear_faults", "{}") == "DELETE /_dinette/faults" + listed);
}

}  // namespace
}  // namespace dinette::mcp::observing_tools_test
