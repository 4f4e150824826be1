#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"

// docs/service/triggers.md section 1.3, and of filters section 4.
namespace test::lambda::errors_test {
namespace {

const std::string invalid = "400 InvalidParameterValueException User: ";
const std::string violated = "400 ValidationException: 1 validation error detected: ";

std::string refuse(const Json& more, const std::string& stream = table_stream) {
  Lambda l;
  return l.create(mapping_of("work", stream, more)).refusal();
}

Json filters(std::vector<std::string> patterns) {
  Json list = Json::array();
  for (const std::string& pattern : patterns) list.push_back({{"Pattern", pattern}});
  return {{"FilterCriteria", {{"Filters", list}}}};
}

}  // namespace

TEST_CASE("an unknown UUID is a resource that does not exist") {
  Lambda l;
  const std::string expected =
      "404 ResourceNotFoundException User: M The resource you requested does not exist.";
  for (const char* uuid : {"00000000-0000-4000-8000-000000000000", "x", "%22%00"}) {
    CHECK(l.get(uuid).refusal() == expected);
    CHECK(l.update(uuid, {{"BatchSize", 5}}).refusal() == expected);
    CHECK(l.update(uuid, {{"ScalingConfig", Json::object()}}).refusal() == expected);
    CHECK(l.remove(uuid).refusal() == expected);
  }
}

TEST_CASE("the ARN of anything but a stream is no event source") {
  const std::string expected = invalid + "Unrecognized event source.";
  CHECK(refuse({{"EventSourceArn", nullptr}}) == expected);
  for (const char* arn :
       {"arn:aws:dynamodb:us-east-1:000000000000:table/Music", "arn:aws:sqs:us-east-1:000000000000:q",
        "arn:aws:kinesis:us-east-1:000000000000:streams/clicks"})
    CHECK(refuse({{"EventSourceArn", arn}}) == expected);
  CHECK(
      refuse({{"EventSourceArn", "Music"}}) ==
      violated +
          R"(Value 'Music' at 'eventSourceArn' failed to satisfy constraint: Member must satisfy regular )"
          R"(expression pattern: arn:(aws[a-zA-Z0-9-]*):([a-zA-Z0-9\-])+:([a-z]{2}(-gov)?-[a-z]+-\d{1})?:(\d{12})?:(.*))");
}

TEST_CASE("an unknown stream is not found") {
  for (const std::string& stream : {table_stream + "1", kinesis_stream + "1"})
    CHECK(refuse({{"EventSourceArn", stream}}) == invalid + "Stream not found: " + stream);
}

TEST_CASE("a function and a stream have one mapping, whatever its position") {
  Lambda l;
  const std::string uuid = l.map("work:live");
  const auto conflict = [&](const std::string& name) {
    return "409 ResourceConflictException User: The event source arn (\" " + table_stream +
           " \") and function (\" " + name +
           " \") provided mapping already exists. Please update or delete the existing mapping with UUID " +
           uuid;
  };
  CHECK(l.create(mapping_of("work:live")).refusal() == conflict("work:live"));
  CHECK(l.create(mapping_of("work:live", table_stream, {{"StartingPosition", "LATEST"}})).refusal() ==
        conflict("work:live"));
  CHECK(l.create(mapping_of("arn:aws:lambda:us-east-1:000000000000:function:work:live")).refusal() ==
        conflict("work:live"));
  l.map("work:live", kinesis_stream);
  l.map("work:other");
  const std::string plain = l.map("work");
  CHECK(l.update(plain, {{"FunctionName", "work:live"}}).refusal() == conflict("work:live"));
  CHECK(l.get(plain).json().at("FunctionArn") == "arn:aws:lambda:us-east-1:000000000000:function:work");
}

TEST_CASE("the starting position is required, one of three, and fits the stream") {
  CHECK(refuse({{"StartingPosition", nullptr}}) ==
        invalid +
            "1 validation error detected: Value null at 'startingPosition' failed to satisfy constraint: "
            "Member "
            "must not be null.");
  CHECK(
      refuse({{"StartingPosition", "BOGUS"}}) ==
      violated +
          "Value 'BOGUS' at 'startingPosition' failed to satisfy constraint: Member must satisfy enum value "
          "set: [LATEST, AT_TIMESTAMP, TRIM_HORIZON]");
  const Json at = {{"StartingPosition", "AT_TIMESTAMP"}};
  const Json at_moment = {{"StartingPosition", "AT_TIMESTAMP"}, {"StartingPositionTimestamp", 1}};
  CHECK(refuse(at) == invalid + "Unsupported starting position for arn type: " + table_stream);
  CHECK(refuse(at_moment) == invalid + "Unsupported starting position for arn type: " + table_stream);
  CHECK(refuse(at, kinesis_stream) == invalid + "Need to specify a timestamp");
  for (const std::string& stream : {table_stream, kinesis_stream}) {
    CHECK(refuse({{"StartingPosition", "LATEST"}, {"StartingPositionTimestamp", 1}}, stream) ==
          invalid + "Timestamp only valid with StartingPosition AT_TIMESTAMP");
  }
  CHECK(refuse({{"StartingPosition", "AT_TIMESTAMP"}, {"StartingPositionTimestamp", 1791633625.3}},
               kinesis_stream) == invalid + "StartingPositionTimestamp must not be in the future");
}

TEST_CASE("numbers are within the ranges of the model") {
  const auto bound = [](const char* member, const char* path, int value, const char* relation, int limit) {
    const std::string expected = violated + "Value '" + std::to_string(value) + "' at '" + path +
                                 "' failed to satisfy constraint: Member must have value " + relation +
                                 " than or equal to " + std::to_string(limit);
    CHECK(refuse({{member, value}}) == expected);
  };
  bound("BatchSize", "batchSize", 10001, "less", 10000);
  bound("BatchSize", "batchSize", 0, "greater", 1);
  bound("ParallelizationFactor", "parallelizationFactor", 11, "less", 10);
  bound("ParallelizationFactor", "parallelizationFactor", 0, "greater", 1);
  bound("MaximumBatchingWindowInSeconds", "maximumBatchingWindowInSeconds", 301, "less", 300);
  bound("TumblingWindowInSeconds", "tumblingWindowInSeconds", 901, "less", 900);
  bound("MaximumRetryAttempts", "maximumRetryAttempts", 10001, "less", 10000);
  bound("MaximumRetryAttempts", "maximumRetryAttempts", -2, "greater", -1);
  bound("MaximumRecordAgeInSeconds", "maximumRecordAgeInSeconds", 604801, "less", 604800);
  bound("MaximumRecordAgeInSeconds", "maximumRecordAgeInSeconds", -2, "greater", -1);
}

TEST_CASE("records are delivered for ever, or for a minute or more") {
  for (const int age : {0, 59}) {
    CHECK(refuse({{"MaximumRecordAgeInSeconds", age}}) ==
          invalid +
              "MaximumRecordAgeInSeconds must be either -1 (forever) or between 60 and 604800 (inclusive)");
  }
  for (const int age : {-1, 60}) CHECK(refuse({{"MaximumRecordAgeInSeconds", age}}).starts_with("202 "));
}

TEST_CASE("the only response type is ReportBatchItemFailures") {
  CHECK(refuse({{"FunctionResponseTypes", {"Bad"}}}) ==
        violated +
            "Value '[Bad]' at 'functionResponseTypes' failed to satisfy constraint: Member must satisfy "
            "constraint: [Member must satisfy enum value set: [ReportBatchItemFailures], Member must not be "
            "null]");
  CHECK(refuse({{"FunctionResponseTypes", {"ReportBatchItemFailures", "ReportBatchItemFailures"}}}) ==
        violated +
            "Value '[ReportBatchItemFailures, ReportBatchItemFailures]' at 'functionResponseTypes' failed to "
            "satisfy constraint: Member must have length less than or equal to 1");
}

TEST_CASE("filters are JSON objects of rules, five at most") {
  const std::string wrong = invalid + "Invalid filter pattern definition.";
  for (const char* pattern :
       {"", "x", "[]", "\"x\"", R"({"a":1})", R"({"a":[]})", R"({"a":[{"prefix":1}]})"}) {
    INFO(pattern);
    CHECK(refuse(filters({pattern})) == wrong);
  }
  CHECK(refuse(filters({R"({"a":[1]})", "x"})) == wrong);
  CHECK(refuse({{"FilterCriteria", {{"Filters", {Json::object()}}}}}) == wrong);
  CHECK(refuse(filters(std::vector<std::string>(5, R"({"a":[1]})"))).starts_with("202 "));
  CHECK(refuse(filters(std::vector<std::string>(6, R"({"a":[1]})"))) ==
        invalid + "FilterCriteria must have no more than 5 filters.");
  const std::string longest = R"({"a":[")" + std::string(4096 - 10, 'x') + R"("]})";
  CHECK(refuse(filters({longest})).starts_with("202 "));
  CHECK_THAT(refuse(filters({longest + " "})),
             Catch::StartsWith(violated + "Value '") &&
                 Catch::EndsWith(
                     "' at 'filterCriteria.filters.1.member.pattern' failed to satisfy constraint: Member "
                     "must have length less than or equal to 4096"));
}

TEST_CASE("what has been done is not announced anywhere") {
  CHECK(refuse({{"DestinationConfig",
                 {{"OnSuccess", {{"Destination", "arn:aws:sqs:us-east-1:000000000000:q"}}}}}}) ==
        invalid + "OnSuccess configuration is not supported for event source mappings.");
  CHECK(
      refuse({{"DestinationConfig", {{"OnFailure", {{"Destination", "q"}}}}}}) ==
      violated +
          "Value 'q' at 'destinationConfig.onFailure.destination' failed to satisfy constraint: Member must "
          "satisfy regular expression pattern: "
          R"($|kafka://([^.]([a-zA-Z0-9\-_.]{0,248}))|arn:(aws[a-zA-Z0-9-]*):([a-zA-Z0-9\-])+:)"
          R"(([a-z]{2}(-gov)?-[a-z]+-\d{1})?:(\d{12})?:(.*))");
}

TEST_CASE("a pattern for the data of Kinesis records is about the object in them") {
  const std::string wrong = invalid + "Invalid filter pattern definition.";
  const std::string inside_or = R"({"$or":[{"partitionKey":["p"]},{"data":[{"exists":true}]}]})";
  for (const std::string& pattern : {std::string(R"({"data":["a"]})"), inside_or}) {
    CHECK(refuse(filters({R"({"a":[1]})", pattern}), kinesis_stream) == wrong);
    CHECK(refuse(filters({pattern})).starts_with("202 "));
  }
  const std::string object = R"({"data":{"data":["a"]},"kinesis":{"data":["YQ=="]}})";
  CHECK(refuse(filters({object}), kinesis_stream).starts_with("202 "));
  Lambda l;
  const std::string uuid = l.map("work", kinesis_stream);
  l.get(uuid);
  CHECK(l.update(uuid, filters({R"({"data":["a"]})"})).refusal() == wrong);
}

TEST_CASE("a tumbling window excludes parallel batches and filters, also after an update") {
  const std::string parallel =
      invalid + "Parallelization factor must be equal to 1 when tumbling window period is configured";
  const std::string filtered =
      invalid + "FilterCriteria must be empty when tumbling window period is configured";
  CHECK(refuse({{"TumblingWindowInSeconds", 10}, {"ParallelizationFactor", 2}}) == parallel);
  Json both = filters({R"({"a":[1]})"});
  both["TumblingWindowInSeconds"] = 10;
  CHECK(refuse(both) == filtered);
  Lambda l;
  const std::string uuid = l.map("work", table_stream, {{"ParallelizationFactor", 2}});
  const Json before = l.get(uuid).json();
  CHECK(l.update(uuid, {{"TumblingWindowInSeconds", 10}, {"BatchSize", 5}}).refusal() == parallel);
  CHECK(l.get(uuid).json() == before);
  CHECK(l.update(uuid, {{"TumblingWindowInSeconds", 10}, {"ParallelizationFactor", 1}}).status == 202);
  CHECK(l.update(uuid, filters({R"({"a":[1]})"})).refusal() == filtered);
}

TEST_CASE("members of other sources are refused") {
  const auto unsupported = [](const std::string& member) {
    return invalid + "Unsupported " + member + " parameter for given event source mapping type.";
  };
  for (const char* member : {"ScalingConfig", "SelfManagedEventSource", "AmazonManagedKafkaEventSourceConfig",
                             "SelfManagedKafkaEventSourceConfig", "DocumentDBEventSourceConfig",
                             "LoggingConfig", "ProvisionedPollerConfig"})
    CHECK(refuse({{member, Json::object()}}) == unsupported(member));
  CHECK(refuse({{"Topics", {"t"}}}) == unsupported("Topics"));
  CHECK(refuse({{"Queues", {"q"}}}) == unsupported("Queues"));
  CHECK(refuse({{"SourceAccessConfigurations", {{{"Type", "BASIC_AUTH"}}}}}) ==
        unsupported("SourceAccessConfigurations"));
  Lambda l;
  CHECK(l.update(l.map("work"), {{"ScalingConfig", {{"MaximumConcurrency", 2}}}}).refusal() ==
        unsupported("ScalingConfig"));
}

TEST_CASE("the name of a function is required, and one of its forms") {
  CHECK(refuse({{"FunctionName", nullptr}}) ==
        violated + "Value null at 'functionName' failed to satisfy constraint: Member must not be null");
  CHECK_THAT(
      refuse({{"FunctionName", "a b"}}),
      Catch::StartsWith(violated + "Value 'a b' at 'functionName' failed to satisfy constraint: Member must "
                                   "satisfy regular expression pattern: (arn:(aws[a-zA-Z-]*)?:lambda:)?("));
  CHECK(refuse({{"FunctionName", std::string(64, 'f')}}).starts_with("202 "));
  CHECK(refuse({{"FunctionName", std::string(65, 'f')}}) ==
        violated + "Value '" + std::string(65, 'f') +
            "' at 'functionName' failed to satisfy constraint: Member must have length less than or equal to "
            "64");
}

TEST_CASE("constraints of the model come first, then the source and its members, then the stream") {
  const Json unknown = {{"EventSourceArn", table_stream + "1"}};
  const auto with = [&](Json more) {
    more.update(unknown);
    return refuse(more);
  };
  CHECK_THAT(refuse({{"EventSourceArn", nullptr}, {"BatchSize", 0}}), Catch::StartsWith(violated));
  CHECK_THAT(refuse({{"EventSourceArn", nullptr}, {"ScalingConfig", Json::object()}}),
             Catch::EndsWith("Unrecognized event source."));
  CHECK_THAT(with({{"ScalingConfig", Json::object()}, {"StartingPosition", nullptr}}),
             Catch::EndsWith("given event source mapping type."));
  CHECK_THAT(with({{"StartingPosition", nullptr}}), Catch::EndsWith("must not be null."));
  CHECK_THAT(with(filters({"x"})), Catch::EndsWith("Invalid filter pattern definition."));
  CHECK_THAT(with({}), Catch::EndsWith("Stream not found: " + table_stream + "1"));
}

TEST_CASE("bodies that are no JSON objects, and wrong types, are serialization errors without a Type") {
  Lambda l;
  CHECK(l.send("POST", "/2015-03-31/event-source-mappings", "[]").refusal() == "400 SerializationException");
  CHECK(l.create({{"FunctionName", 5}}).refusal() ==
        "400 SerializationException: NUMBER_VALUE cannot be converted to String");
  CHECK(l.list("MaxItems=x").refusal() ==
        "400 SerializationException: STRING_VALUE cannot be converted to Integer");
}

}  // namespace test::lambda::errors_test
