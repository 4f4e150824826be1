#include "app/tables/apply_triggers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "app/tables/applying_services.h"
#include "app/tables/dry_run.h"

namespace dinette::app::apply_triggers_test {
namespace {

using test::ApplyingServices;
using test::first_words;
using test::outcomes;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A template with the table `plants`, whose stream calls `on-plant` with these settings.
std::string trigger(const std::string& settings = {}) {
  const std::string further = settings.empty() ? settings : ", " + settings;
  return "Resources:\n"
         "  Plants: {Type: AWS::DynamoDB::Table, Properties: {TableName: plants, BillingMode: "
         "PAY_PER_REQUEST, "
         "StreamSpecification: {StreamViewType: NEW_IMAGE}, AttributeDefinitions: [{AttributeName: id, "
         "AttributeType: S}], KeySchema: [{AttributeName: id, KeyType: HASH}]}}\n"
         "  On: {Type: AWS::Lambda::EventSourceMapping, Properties: {EventSourceArn: !GetAtt "
         "Plants.StreamArn, "
         "FunctionName: on-plant, StartingPosition: LATEST" +
         further + "}}\n";
}

constexpr const char* rich =
    "BatchSize: 20, Enabled: false, MaximumBatchingWindowInSeconds: 1, MaximumRecordAgeInSeconds: 60, "
    "MaximumRetryAttempts: 3, ParallelizationFactor: 2, BisectBatchOnFunctionError: true, "
    "FunctionResponseTypes: "
    "[ReportBatchItemFailures], FilterCriteria: {Filters: [{Pattern: '{\"eventName\":[\"INSERT\"]}'}]}, "
    "DestinationConfig: {OnFailure: {Destination: 'arn:aws:sqs:us-east-1:000000000000:lost'}}, Tags: [{Key: "
    "a, Value: b}]";

/// Answers every call of another service with this.
auto answering(OperationReply reply) {
  return [reply](const ServiceCall&) -> std::optional<test::WatchedOperations::Reply> { return reply; };
}

}  // namespace

TEST_CASE("a trigger is a mapping of the stream that its table has, and is announced to what polls it") {
  ApplyingServices to;
  const auto made = to.applied(trigger("BatchSize: 20"));
  CHECK(outcomes(made) == Words{"created plants", "created On: plants -> on-plant"});
  const Json mappings = to.mappings();
  REQUIRE(mappings.size() == 1);
  const auto described = to.local.call("DescribeTable", R"({"TableName":"plants"})");
  CHECK(mappings[0]["EventSourceArn"] == Json::parse(described->body)["Table"]["LatestStreamArn"]);
  CHECK(mappings[0]["FunctionArn"] == "arn:aws:lambda:us-east-1:000000000000:function:on-plant");
  CHECK(mappings[0]["BatchSize"] == 20);
  CHECK(mappings[0]["State"] == "Enabled");
  CHECK(to.changed_mappings == Words{mappings[0]["UUID"]});
}

TEST_CASE("a trigger that is applied again is unchanged, whatever it has") {
  ApplyingServices to;
  CHECK(outcomes(to.applied(trigger(rich))).back() == "created On: plants -> on-plant");
  to.operations.changes.clear();
  CHECK(outcomes(to.applied(trigger(rich), {.existing = OnDifference::update})).back() ==
        "unchanged On: plants -> on-plant");
  CHECK(outcomes(to.applied(trigger())).back() == "unchanged On: plants -> on-plant");
  CHECK(to.operations.changes.empty());
}

TEST_CASE("a trigger that differs is left alone, and changed if that is asked for") {
  ApplyingServices to;
  to.applied(trigger());
  const std::string text = trigger("BatchSize: 7, Enabled: false");
  const auto seen = to.applied(text);
  CHECK(outcomes(seen).back() == "differs On: plants -> on-plant");
  REQUIRE(seen.back().differences.size() == 2);
  CHECK(text_of_difference(seen.back(), seen.back().differences[0]) ==
        "BatchSize: 100 in the trigger, 7 in the file");
  CHECK(text_of_difference(seen.back(), seen.back().differences[1]) ==
        "Enabled: true in the trigger, false in the file");
  CHECK(outcomes(to.applied(text, {.existing = OnDifference::skip})).back() ==
        "skipped On: plants -> on-plant");
  to.operations.changes.clear();

  const OnDifference existing = GENERATE(OnDifference::update, OnDifference::replace);
  CHECK(outcomes(to.applied(text, {.existing = existing})).back() == "updated On: plants -> on-plant");
  CHECK(to.operations.changes == Words{R"(UpdateEventSourceMapping {"BatchSize":7,"Enabled":false})"});
  CHECK(to.mappings()[0]["State"] == "Disabled");
  CHECK(to.mappings().size() == 1);
}

TEST_CASE("a table that is replaced has another stream, which gets a mapping of its own") {
  ApplyingServices to;
  to.applied(trigger());
  std::string text = trigger();
  text.replace(text.find("AttributeType: S"), 16, "AttributeType: N");
  CHECK(outcomes(to.applied(text, {.existing = OnDifference::replace})) ==
        Words{"replaced plants", "created On: plants -> on-plant"});
  CHECK(to.mappings().size() == 2);
}

TEST_CASE("a trigger whose table could not be made fails, and so does one that the service refuses") {
  ApplyingServices to;
  std::string text = trigger();
  text.replace(text.find("AttributeType: S"), 16, "AttributeType: X");
  const auto lost = to.applied(text);
  CHECK(outcomes(lost) == Words{"failed plants", "failed On: plants -> on-plant"});
  CHECK(lost.back().errors == Words{"the table plants is not there"});

  const auto refused = to.applied(trigger("BatchSize: 10001"));
  CHECK(outcomes(refused) == Words{"created plants", "failed On: plants -> on-plant"});
  CHECK(
      refused.back().errors ==
      Words{"CreateEventSourceMapping failed: ValidationException: 1 validation error detected: Value "
            "'10001' at "
            "'batchSize' failed to satisfy constraint: Member must have value less than or equal to 10000"});
}

TEST_CASE("a server without Lambda leaves triggers out, with a remark") {
  const OperationReply reply = GENERATE(
      OperationReply{400, R"({"__type":"com.amazonaws.dynamodb.v20120810#UnknownOperationException"})"},
      OperationReply{400, R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken"})"},
      OperationReply{404, ""}, OperationReply{403, "<html>"}, OperationReply{501, "{}"});
  ApplyingServices to;
  to.operations.instead = answering(reply);
  const auto made = to.applied(trigger());
  CHECK(outcomes(made) == Words{"created plants", "skipped On: plants -> on-plant"});
  CHECK(made.back().remarks == Words{"it was left out: the server does not serve event source mappings"});
}

TEST_CASE("a server that fails is asked again, and then said") {
  ApplyingServices to;
  to.operations.instead = answering({503, "<html>"});
  const auto made = to.applied(trigger());
  CHECK(outcomes(made) == Words{"created plants", "failed On: plants -> on-plant"});
  CHECK(made.back().errors == Words{"ListEventSourceMappings failed: status 503"});
}

TEST_CASE("a dry run reports mappings with their path, also for a table that is not there yet") {
  ApplyingServices to;
  Words tried;
  const auto report = [&](const TriedCall& call) {
    tried.push_back(std::string(call.service) + " " + std::string(call.operation) + " " +
                    std::string(call.path));
  };
  const bool has_server = GENERATE(true, false);
  DryRun dry(has_server ? &to.operations : nullptr, report);
  CHECK(outcomes(to.applied_by(dry, trigger())) == Words{"created plants", "created On: plants -> on-plant"});
  CHECK(tried == Words{" CreateTable ", "lambda CreateEventSourceMapping /2015-03-31/event-source-mappings"});
  CHECK(to.operations.changes.empty());
}

}  // namespace dinette::app::apply_triggers_test
