#include "mcp/metrics_summary.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::mcp::metrics_summary_test {
namespace {

TEST_CASE("a sample has a name, labels and a value") {
  const auto sample = read_sample(R"(a_b{x="1",y="q\"\\\n,}"} 2.5)");
  REQUIRE(sample.has_value());
  CHECK(sample->name == "a_b");
  CHECK(sample->labels.at("x") == "1");
  CHECK(sample->labels.at("y") == "q\"\\\n,}");
  CHECK(sample->value == 2.5);
  CHECK(read_sample("a 1")->labels.empty());
  CHECK(read_sample("a{} 1e3")->value == 1'000);
}

TEST_CASE("what is not a sample is not one") {
  for (const char* line : {"", "# HELP a b", "a", "a ", "a x", "a{x} 1", "a{x=\"1} 1", "a{x=\"1\"",
                           "a{x=\"1\\", "a{ 1", "a NaN", "a +Inf", "a inf", "a 1e300", "{x=\"1\"} 1"}) {
    INFO(line);
    CHECK_FALSE(read_sample(line).has_value());
  }
}

TEST_CASE("metrics are summed up by operation and by table") {
  const Json summary = metrics_summary(
      "# HELP dinette_requests_total Requests\n"
      "dinette_requests_total{service=\"dynamodb\",operation=\"GetItem\",status=\"200\",error=\"\"} 3\n"
      "dinette_requests_total{service=\"dynamodb\",operation=\"PutItem\",status=\"200\",error=\"\"} 6\n"
      "dinette_requests_total{service=\"dynamodb\",operation=\"PutItem\",status=\"400\",error=\"Bad\"} 4\n"
      "dinette_requests_total{service=\"dynamodb\",operation=\"Scan\",status=\"200\",error=\"\"} 0\n"
      "dinette_request_duration_seconds_bucket{service=\"dynamodb\",operation=\"PutItem\",le=\"1\"} 10\n"
      "dinette_request_duration_seconds_sum{service=\"dynamodb\",operation=\"PutItem\"} 0.02\n"
      "dinette_request_duration_seconds_count{service=\"dynamodb\",operation=\"PutItem\"} 10\n"
      "dinette_consumed_read_capacity_units_total{table=\"Small\"} 1\n"
      "dinette_consumed_read_capacity_units_total{table=\"Large\"} 1.5\n"
      "dinette_consumed_write_capacity_units_total{table=\"Large\"} 20\n"
      "dinette_worlds 2\n"
      "process_cpu_seconds_total 0.25\n"
      "something_else 7\n");
  CHECK(
      summary["operations"] ==
      Json::parse(
          R"([{"service":"dynamodb","operation":"PutItem","requests":10,"errors":{"Bad":4},"mean_milliseconds":2.0},
                        {"service":"dynamodb","operation":"GetItem","requests":3}])"));
  CHECK(summary["tables"] == Json::parse(R"([{"table":"Large","read_units":1.5,"write_units":20.0},
                                             {"table":"Small","read_units":1.0,"write_units":0.0}])"));
  CHECK(summary["totals"] == Json::parse(R"({"worlds":2,"cpu_seconds":0.25})"));
}

TEST_CASE("of many operations those with the most requests are shown") {
  std::string text;
  for (int i = 1; i <= 200; ++i)
    text += "dinette_requests_total{operation=\"op" + std::to_string(i) + "\"} " + std::to_string(i) + "\n";
  const Json summary = metrics_summary(text);
  CHECK(summary["operations"].size() == 50);
  CHECK(summary["operations"][0]["operation"] == "op200");
  CHECK(summary["operations"][49]["operation"] == "op151");
}

TEST_CASE("a text without metrics has no summary") {
  CHECK(metrics_summary("").is_null());
  CHECK(metrics_summary("# EOF\n").is_null());
  CHECK(metrics_summary("<html>\n").is_null());
}

}  // namespace
}  // namespace dinette::mcp::metrics_summary_test
