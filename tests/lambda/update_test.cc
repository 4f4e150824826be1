#include <string>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"

// docs/service/triggers.md section 1.1: what an update changes, and what it leaves.
namespace test::lambda::update_test {
namespace {

const Json settings = {
    {"Enabled", false},
    {"BatchSize", 7},
    {"MaximumBatchingWindowInSeconds", 8},
    {"ParallelizationFactor", 9},
    {"MaximumRecordAgeInSeconds", 100},
    {"MaximumRetryAttempts", 11},
    {"BisectBatchOnFunctionError", true},
    {"FunctionResponseTypes", {"ReportBatchItemFailures"}},
    {"DestinationConfig", {{"OnFailure", {{"Destination", "arn:aws:sns:us-east-1:000000000000:failed"}}}}},
    {"FilterCriteria", {{"Filters", {{{"Pattern", R"({"eventName":["REMOVE"]})"}}}}}},
    {"KMSKeyArn", "arn:aws:kms:us-east-1:000000000000:key/k"},
    {"MetricsConfig", {{"Metrics", {"EventCount"}}}}};

/// A mapping without what differs by the time and the state.
Json shown(Lambda& l, const std::string& uuid) {
  Json mapping = l.get(uuid).json();
  mapping.erase("LastModified");
  mapping.erase("State");
  return mapping;
}

}  // namespace

TEST_CASE("an update changes everything that it gives, and shows it") {
  Lambda l;
  const std::string uuid = l.map("work");
  const Reply updated = l.update(uuid, settings);
  CHECK(updated.status == 202);
  for (const auto& [name, value] : settings.items()) {
    if (name == "Enabled") continue;
    CHECK(updated.json().at(name) == value);
    CHECK(l.get(uuid).json().at(name) == value);
  }
  CHECK(l.get(uuid).json().at("State") == "Disabled");
}

TEST_CASE("members that are left out or null keep their value") {
  Lambda l;
  const std::string uuid = l.map("work", table_stream, settings);
  const Json before = shown(l, uuid);
  Json nothing = settings;
  for (auto& [name, value] : nothing.items()) value = nullptr;
  for (const Json& update : {Json::object(), nothing, Json{{"NoMember", 5}}}) {
    CHECK(l.update(uuid, update).json().at("State") == "Updating");
    CHECK(shown(l, uuid) == before);
  }
  CHECK(l.send("PUT", "/2015-03-31/event-source-mappings/" + uuid).status == 202);
}

TEST_CASE("empty objects and lists clear") {
  Lambda l;
  const std::string uuid = l.map("work", table_stream, settings);
  CHECK(l.update(uuid, {{"FilterCriteria", Json::object()},
                        {"DestinationConfig", Json::object()},
                        {"FunctionResponseTypes", Json::array()},
                        {"MetricsConfig", Json::object()},
                        {"KMSKeyArn", ""}})
            .status == 202);
  const Json mapping = shown(l, uuid);
  for (const char* name : {"FilterCriteria", "MetricsConfig", "KMSKeyArn"})
    CHECK_FALSE(mapping.contains(name));
  CHECK(mapping.at("DestinationConfig") == Json{{"OnFailure", Json::object()}});
  CHECK(mapping.at("FunctionResponseTypes") == Json::array());
  CHECK(mapping.at("BatchSize") == 7);
}

TEST_CASE("the stream and the position cannot be updated, nor the UUID by the body") {
  Lambda l;
  const std::string uuid = l.map("work");
  const Json before = shown(l, uuid);
  CHECK(l.update(uuid, {{"EventSourceArn", kinesis_stream},
                        {"StartingPosition", "LATEST"},
                        {"UUID", "x"},
                        {"Tags", {{"a", "b"}}}})
            .status == 202);
  CHECK(shown(l, uuid) == before);
}

TEST_CASE("a mapping with another function leaves the old one to others") {
  Lambda l;
  const std::string uuid = l.map("work");
  CHECK(l.update(uuid, {{"FunctionName", "work:2"}}).json().at("FunctionArn") ==
        "arn:aws:lambda:us-east-1:000000000000:function:work:2");
  const std::string other = l.map("work");
  CHECK(l.update(uuid, {{"FunctionName", "work"}}).error == "ResourceConflictException");
  l.remove(other);
  CHECK(l.update(uuid, {{"FunctionName", "work"}}).status == 202);
  CHECK(l.update(uuid, {{"FunctionName", "work"}, {"BatchSize", 3}}).json().at("BatchSize") == 3);
}

TEST_CASE("an update that fails changes nothing") {
  Lambda l;
  const std::string uuid = l.map("work", table_stream, settings);
  const Json before = l.get(uuid).json();
  CHECK(l.update(uuid, {{"BatchSize", 5}, {"MaximumRecordAgeInSeconds", 5}}).status == 400);
  CHECK(l.update(uuid, {{"BatchSize", 5}, {"FilterCriteria", {{"Filters", {{{"Pattern", "x"}}}}}}}).status ==
        400);
  CHECK(l.get(uuid).json() == before);
}

}  // namespace test::lambda::update_test
