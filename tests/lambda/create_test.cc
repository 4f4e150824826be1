#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"

// docs/service/triggers.md section 1, "API", and section 1.1.
namespace test::lambda::create_test {
namespace {

const std::string as_function = "arn:aws:lambda:us-east-1:000000000000:function:";

std::string function_arn(const std::string& name) {
  Lambda l;
  const Reply reply = l.create(mapping_of(name));
  INFO(reply.body);
  REQUIRE(reply.status == 202);
  return reply.json().at("FunctionArn");
}

/// The answer to a bare mapping with these members.
Json created(const Json& more, const std::string& stream = table_stream) {
  Lambda l;
  const Reply reply = l.create(mapping_of("work", stream, more));
  INFO(reply.body);
  REQUIRE(reply.status == 202);
  return reply.json();
}

/// The text of the answer with the parts that differ each time replaced.
std::string text_of(const Reply& reply) {
  std::string text = reply.body;
  const std::string uuid = reply.json().at("UUID");
  for (auto at = text.find(uuid); at != std::string::npos; at = text.find(uuid))
    text.replace(at, uuid.size(), "U");
  return text;
}

/// The headers of a caller of the account 123456789012.
Headers of_region(const std::string& region) {
  return {{"Authorization", "AWS4-HMAC-SHA256 Credential=123456789012/20261010/" + region +
                                "/lambda/aws4_request, SignedHeaders=host, Signature=0"}};
}

}  // namespace

TEST_CASE("a mapping with nothing else given has these settings, and is Creating") {
  Lambda l;
  const Reply reply = l.create(mapping_of("work"));
  CHECK(reply.status == 202);
  CHECK(reply.content_type == "application/json");
  CHECK(
      text_of(reply) ==
      R"({"UUID":"U","StartingPosition":"TRIM_HORIZON","BatchSize":100,"MaximumBatchingWindowInSeconds":0,)"
      R"("ParallelizationFactor":1,"EventSourceArn":")" +
          table_stream +
          R"(","FunctionArn":"arn:aws:lambda:us-east-1:000000000000:function:work","LastModified":1791633625.299,)"
          R"("LastProcessingResult":"No records processed","State":"Creating","StateTransitionReason":"User action",)"
          R"("DestinationConfig":{"OnFailure":{}},"MaximumRecordAgeInSeconds":-1,"BisectBatchOnFunctionError":false,)"
          R"("MaximumRetryAttempts":-1,"TumblingWindowInSeconds":0,"FunctionResponseTypes":[],)"
          R"("EventSourceMappingArn":"arn:aws:lambda:us-east-1:000000000000:event-source-mapping:U"})");
  const std::string uuid = reply.json().at("UUID");
  CHECK(uuid.size() == 36);
  CHECK(uuid.find_first_not_of("0123456789abcdef-") == std::string::npos);
}

TEST_CASE("a stream of Kinesis has the same") {
  Json table = created({});
  Json kinesis = created({}, kinesis_stream);
  CHECK(kinesis.at("EventSourceArn") == kinesis_stream);
  table.erase("EventSourceArn");
  kinesis.erase("EventSourceArn");
  CHECK(kinesis == table);
}

TEST_CASE("everything that is given is shown") {
  const Json given = {
      {"BatchSize", 10000},
      {"MaximumBatchingWindowInSeconds", 300},
      {"ParallelizationFactor", 10},
      {"MaximumRecordAgeInSeconds", 604800},
      {"MaximumRetryAttempts", 10000},
      {"BisectBatchOnFunctionError", true},
      {"FunctionResponseTypes", {"ReportBatchItemFailures"}},
      {"DestinationConfig", {{"OnFailure", {{"Destination", "arn:aws:sqs:us-east-1:000000000000:failed"}}}}},
      {"FilterCriteria", {{"Filters", {{{"Pattern", R"({"eventName":["INSERT"]})"}}}}}},
      {"KMSKeyArn", "arn:aws:kms:us-east-1:000000000000:key/k"},
      {"MetricsConfig", {{"Metrics", {"EventCount"}}}}};
  const Json answer = created(given);
  for (const auto& [name, value] : given.items()) CHECK(answer.at(name) == value);
  CHECK(created({{"TumblingWindowInSeconds", 900}}).at("TumblingWindowInSeconds") == 900);
}

TEST_CASE("Enabled, FunctionName and Tags are not shown") {
  const Json answer = created({{"Enabled", false}, {"Tags", {{"team", "search"}}}});
  CHECK_FALSE(answer.contains("Enabled"));
  CHECK_FALSE(answer.contains("FunctionName"));
  CHECK_FALSE(answer.contains("Tags"));
}

TEST_CASE("members that are null or empty are as if they were not given") {
  const Json bare = created({});
  Json given = {{"FilterCriteria", {{"Filters", Json::array()}}},
                {"DestinationConfig", {{"OnFailure", Json::object()}}},
                {"FunctionResponseTypes", Json::array()},
                {"MetricsConfig", Json::object()},
                {"KMSKeyArn", ""},
                {"Tags", Json::object()},
                {"BatchSize", nullptr},
                {"Enabled", nullptr},
                {"SourceAccessConfigurations", Json::array()},
                {"NoMember", 5}};
  CHECK(created(given) == bare);
  CHECK(created({{"FilterCriteria", Json::object()}, {"DestinationConfig", Json::object()}}) == bare);
}

TEST_CASE("a batch of more than 10 records needs no window") {
  CHECK(created({{"BatchSize", 101}, {"MaximumBatchingWindowInSeconds", 0}}).at("BatchSize") == 101);
}

TEST_CASE("the ARN of a function keeps its qualifier, and is the caller's as far as nothing is said") {
  CHECK(function_arn("work") == as_function + "work");
  CHECK(function_arn("work:$LATEST") == as_function + "work:$LATEST");
  CHECK(function_arn("work:1") == as_function + "work:1");
  CHECK(function_arn("work:live") == as_function + "work:live");
  CHECK(function_arn("function:work") == as_function + "work");
  CHECK(function_arn("123456789012:function:work:1") ==
        "arn:aws:lambda:us-east-1:123456789012:function:work:1");
  CHECK(function_arn("123456789012:work") == "arn:aws:lambda:us-east-1:123456789012:function:work");
  for (const char* arn : {"arn:aws:lambda:eu-west-2:123456789012:function:work",
                          "arn:aws-cn:lambda:cn-north-1:123456789012:function:work:1",
                          "arn:aws:lambda:local:123456789012:function:work"})
    CHECK(function_arn(arn) == arn);
}

TEST_CASE("ARNs are of the account and the region of the caller") {
  Lambda l;
  const Json answer = l.create(mapping_of("work"), of_region("eu-west-1")).json();
  CHECK(answer.at("FunctionArn") == "arn:aws:lambda:eu-west-1:123456789012:function:work");
  const std::string uuid = answer.at("UUID");
  CHECK(answer.at("EventSourceMappingArn") ==
        "arn:aws:lambda:eu-west-1:123456789012:event-source-mapping:" + uuid);
}

TEST_CASE("ARNs are of the partition that their region belongs to") {
  const std::pair<std::string, std::string> partitions[] = {{"cn-north-1", "aws-cn"},
                                                            {"us-gov-west-1", "aws-us-gov"}};
  for (const auto& [region, partition] : partitions) {
    INFO(region);
    Lambda l;
    const std::string place = ":" + region + ":123456789012:";
    const std::string stream = "arn:" + partition + ":kinesis" + place + "stream/clicks";
    l.streams.set(stream, {{.id = "shardId-000000000000"}});
    const Json answer = l.create(mapping_of("work", stream), of_region(region)).json();
    CHECK(answer.at("EventSourceArn") == stream);
    CHECK(answer.at("FunctionArn") == "arn:" + partition + ":lambda" + place + "function:work");
    const std::string arn = answer.at("EventSourceMappingArn");
    CHECK(arn == "arn:" + partition + ":lambda" + place +
                     "event-source-mapping:" + answer.at("UUID").get<std::string>());
    CHECK(l.tags(arn).status == 200);
  }
  CHECK(function_arn("cn-north-1:123456789012:function:work") ==
        "arn:aws-cn:lambda:cn-north-1:123456789012:function:work");
}

TEST_CASE("a mapping of Kinesis may begin at a moment") {
  const Json answer = created(
      {{"StartingPosition", "AT_TIMESTAMP"}, {"StartingPositionTimestamp", 1791633625.299}}, kinesis_stream);
  CHECK(answer.at("StartingPosition") == "AT_TIMESTAMP");
  CHECK(answer.at("StartingPositionTimestamp") == 1791633625.299);
}

TEST_CASE("paths may end with a slash, as some clients send them") {
  Lambda l;
  const std::string paths = "/2015-03-31/event-source-mappings/";
  const Reply reply = l.send("POST", paths, mapping_of("work").dump());
  CHECK(reply.status == 202);
  CHECK(l.send("GET", paths + "?MaxItems=5").json().at("EventSourceMappings").size() == 1);
  const std::string uuid = reply.json().at("UUID");
  CHECK(l.send("GET", paths + uuid + "/").status == 200);
}

TEST_CASE("other operations of Lambda are not served, and say so") {
  Lambda l;
  const Headers of_lambda = {{"Authorization",
                              "AWS4-HMAC-SHA256 Credential=any/20261010/us-east-1/lambda/aws4_request, "
                              "SignedHeaders=host, Signature=0"}};
  const std::string message =
      "404 UnknownOperationException: Dinette serves the event source mappings of Lambda only, and no other "
      "operation "
      "of it";
  CHECK(l.send("GET", "/2015-03-31/functions/", {}, of_lambda).refusal() == message);
  CHECK(l.send("PATCH", "/2015-03-31/event-source-mappings", "{}").refusal() == message);
  CHECK_FALSE(dinette::lambda::Service::owns(
      {.method = "GET", .target = "/bucket/key", .headers = {}, .body = {}, .remote = {}}));
}

}  // namespace test::lambda::create_test
