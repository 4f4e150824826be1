#include "dinette/lambda/triggers.h"

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::triggers_test {
namespace {

using lambda::DeliveryLog;
using lambda::DeliveryRecord;
using lambda::Trigger;
using lambda::TriggerState;

const std::string triggers_path = "/_dinette/triggers";
const std::string deliveries_path = "/_dinette/triggers/deliveries";

/// Keeps triggers, and calls nothing.
class FakeTriggers final : public lambda::Triggers {
 public:
  kv::Result<std::vector<TriggerState>> list(tenancy::World&) override { return states; }

  kv::Result<std::optional<std::string>> replace(tenancy::World&, std::vector<Trigger> triggers) override {
    if (!triggers.empty() && triggers.front().table == "Refused")
      return std::optional<std::string>("There is no table 'Refused'.");
    states.clear();
    for (Trigger& one : triggers)
      states.push_back({.trigger = one, .id = "id of " + one.name, .state = "Enabled", .last_result = "OK"});
    return std::optional<std::string>();
  }

  DeliveryLog::Page deliveries(tenancy::World&, const DeliveryLog::Question& question) override {
    return log.read(question);
  }

  std::shared_ptr<const DeliveryRecord> repeat(tenancy::World&, std::uint64_t number) override {
    const auto found = log.find(number);
    if (found == nullptr) return nullptr;
    DeliveryRecord again = *found;
    again.repeats = number;
    return log.add(std::move(again));
  }

  std::vector<TriggerState> states;
  DeliveryLog log;
};

struct TriggerFixture {
  FakeTriggers fake;
  Fixture api{options_with(fake)};

  static ApiOptions options_with(FakeTriggers& fake) {
    ApiOptions options;
    options.triggers = &fake;
    return options;
  }

  TestJson put(const std::string& trigger) {
    return api.ok("PUT", triggers_path, R"({"triggers":[)" + trigger + "]}").at("triggers");
  }
  std::string refusal(const std::string& trigger) {
    const Response response = api.send("PUT", triggers_path, R"({"triggers":[)" + trigger + "]}");
    CHECK(response.status == 400);
    return response.status == 400 ? response.message() : "none";
  }
};

const std::string hook = R"("url":"http://127.0.0.1:3000/orders")";

}  // namespace

TEST_CASE_METHOD(TriggerFixture, "a trigger has the defaults of Lambda") {
  CHECK(api.ok("GET", triggers_path) == TestJson{{"world", "default"}, {"triggers", TestJson::array()}});
  const TestJson listed = put(R"({"table":"Orders",)" + hook + "}");
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].at("trigger") == TestJson{{"name", "http://127.0.0.1:3000/orders on Orders"},
                                            {"table", "Orders"},
                                            {"url", "http://127.0.0.1:3000/orders"},
                                            {"enabled", true},
                                            {"batchSize", 100},
                                            {"maximumBatchingWindowInSeconds", 0},
                                            {"startingPosition", "TRIM_HORIZON"},
                                            {"parallelizationFactor", 1},
                                            {"maximumRecordAgeInSeconds", -1},
                                            {"maximumRetryAttempts", -1},
                                            {"bisectBatchOnFunctionError", false},
                                            {"tumblingWindowInSeconds", 0},
                                            {"functionResponseTypes", TestJson::array()}});
  CHECK(listed[0].at("id") == "id of http://127.0.0.1:3000/orders on Orders");
  CHECK(listed[0].at("state") == "Enabled");
  CHECK(listed[0].at("lastProcessingResult") == "OK");
  CHECK(listed[0].at("counts") == TestJson{{"records", 0}, {"calls", 0}, {"failures", 0}, {"discarded", 0}});
}

TEST_CASE_METHOD(TriggerFixture, "a trigger is put as it was listed") {
  const TestJson listed = put(
      R"({"name":"bills","stream":"arn:aws:kinesis:us-east-1:000000000000:stream/s","function":"bill:live",
          "enabled":false,"batchSize":10,"maximumBatchingWindowInSeconds":5,
          "startingPosition":"AT_TIMESTAMP","startingPositionTimestamp":"2026-01-31T08:15:00Z",
          "parallelizationFactor":10,"maximumRecordAgeInSeconds":60,"maximumRetryAttempts":0,
          "bisectBatchOnFunctionError":true,"functionResponseTypes":["ReportBatchItemFailures"],
          "destinationConfig":{"onFailure":{"destination":"arn:aws:s3:::failures"}},
          "filterCriteria":{"filters":[{"pattern":"{\"a\": [1]}"},{"pattern":{"eventName":["INSERT"]}}]}})");
  REQUIRE(fake.states.size() == 1);
  const Trigger& trigger = fake.states[0].trigger;
  CHECK(trigger.function == "bill:live");
  CHECK_FALSE(trigger.enabled);
  CHECK(trigger.batch_size == 10);
  CHECK(trigger.batching_window == std::chrono::seconds(5));
  CHECK(trigger.position == deliveries::StartingPosition::at_timestamp);
  CHECK(trigger.position_time == std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) +
                                     std::chrono::hours(8) + std::chrono::minutes(15));
  CHECK(trigger.parallelization == 10);
  CHECK(trigger.record_age == std::chrono::seconds(60));
  CHECK(trigger.retries == 0U);
  CHECK(trigger.bisects);
  CHECK(trigger.reports_failures);
  CHECK(trigger.on_failure == "arn:aws:s3:::failures");
  CHECK(trigger.filters == std::vector<std::string>{R"({"a": [1]})", R"({"eventName":["INSERT"]})"});
  const Trigger before = trigger;
  CHECK(put(listed[0].at("trigger").dump()) == listed);
  CHECK(fake.states[0].trigger == before);
}

TEST_CASE_METHOD(TriggerFixture, "triggers that are not well-formed are refused, with their place") {
  CHECK(refusal("1") == "Trigger 1: A trigger must be an object.");
  CHECK(refusal(R"({"table":"A",)" + hook + "},{" + hook + "}") ==
        "Trigger 2: Give one of 'table', whose newest stream is read, and 'stream', an ARN.");
  const auto reason = [this](const std::string& members) {
    return refusal(R"({"table":"A",)" + hook + "," + members + "}");
  };
  CHECK(reason(R"("stream":"arn:a")") ==
        "Trigger 1: Give one of 'table', whose newest stream is read, and 'stream', an ARN.");
  CHECK(refusal(R"({"stream":"A",)" + hook + "}") ==
        "Trigger 1: The member 'stream' must be the ARN of a stream; 'table' takes the name of a table.");
  CHECK(reason(R"("function":"f")") == "Trigger 1: Give one of 'url', 'function' and 'command'.");
  CHECK(refusal(R"({"table":"A"})") == "Trigger 1: Give one of 'url', 'function' and 'command'.");
  CHECK(refusal(R"({"table":"A","url":"localhost"})") ==
        "Trigger 1: The member 'url' must be a URL, such as http://127.0.0.1:3000/orders.");
  CHECK(reason(R"("batchSize":0)") ==
        "Trigger 1: The member 'batchSize' must be a whole number from 1 to 10000.");
  CHECK(reason(R"("maximumRecordAgeInSeconds":59)") ==
        "Trigger 1: The member 'maximumRecordAgeInSeconds' must be a whole number from 60 to 604800.");
  CHECK(reason(R"("startingPosition":"END")") ==
        "Trigger 1: The member 'startingPosition' must be TRIM_HORIZON, LATEST or AT_TIMESTAMP.");
  CHECK(reason(R"("startingPosition":"AT_TIMESTAMP")") ==
        "Trigger 1: The member 'startingPositionTimestamp' goes with AT_TIMESTAMP.");
  CHECK(reason(R"("startingPosition":"AT_TIMESTAMP","startingPositionTimestamp":"today")") ==
        "Trigger 1: The member 'startingPositionTimestamp' must be a time such as 2026-01-31T08:15:00Z.");
  CHECK(reason(R"("functionResponseTypes":["Bad"])") ==
        "Trigger 1: The member 'functionResponseTypes' may have only ReportBatchItemFailures.");
  CHECK(reason(R"("destinationConfig":{"onFailure":{"destination":"here"}})") ==
        "Trigger 1: The member 'destination' must be an ARN or a URL.");
  CHECK(reason(R"("filterCriteria":{"filters":[{"pattern":1}]})") ==
        R"(Trigger 1: The member 'pattern' must be a pattern such as {"eventName": ["INSERT"]}.)");
  CHECK(reason(R"("tumblingWindowInSeconds":10,"parallelizationFactor":2)") ==
        "Trigger 1: The member 'parallelizationFactor' must be 1 with 'tumblingWindowInSeconds'.");
  CHECK(reason(R"("tumblingWindowInSeconds":10,"filterCriteria":{"filters":[{"pattern":{}}]})") ==
        "Trigger 1: The member 'filterCriteria' must be absent with 'tumblingWindowInSeconds'.");
  CHECK(
      reason(R"("colour":"red")").starts_with("Trigger 1: The member 'colour' is unknown here; known are: "));
  CHECK(refusal(R"({"name":"a","table":"A",)" + hook + R"(},{"name":"a","table":"B",)" + hook + "}") ==
        "Trigger 2: There is already one of the name 'a'; give them different names.");
  CHECK(refusal(R"({"table":"Refused",)" + hook + "}") == "There is no table 'Refused'.");
  CHECK(fake.states.empty());
}

TEST_CASE_METHOD(TriggerFixture, "only files may name programs, which may be put again as they are") {
  const std::string of_program = R"({"name":"p","table":"A","command":["node","orders.js"]})";
  CHECK(refusal(of_program) ==
        "The program of 'p' is refused: only the file of --triggers may name programs.");
  const auto read = read_triggers(R"({"triggers":[)" + of_program + "]}");
  REQUIRE(read.ok());
  CHECK(read->at(0).command == std::vector<std::string>{"node", "orders.js"});
  fake.states.push_back({.trigger = read->at(0)});
  CHECK(put(of_program).size() == 1);
  CHECK(refusal(R"({"name":"p","table":"A","command":["rm","orders.js"]})") ==
        "The program of 'p' is refused: only the file of --triggers may name programs.");
  CHECK(read_triggers("[]").error() == "The body must be a JSON object.");
}

TEST_CASE_METHOD(TriggerFixture, "deliveries are listed, of one trigger or those that failed") {
  put(R"({"name":"bills","table":"Orders",)" + hook + "}");
  DeliveryRecord delivery{.time = Fixture::start,
                          .mapping = "id of bills",
                          .function = "arn:aws:lambda:us-east-1:000000000000:function:bill",
                          .stream = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/L",
                          .shard = "shardId-1",
                          .batch = "b",
                          .first = "101",
                          .last = "102",
                          .records = 2,
                          .tries = 1,
                          .duration = std::chrono::milliseconds(12),
                          .event = std::make_shared<const std::string>(R"({"Records":[]})"),
                          .answer = "null"};
  fake.log.add(delivery);
  delivery.mapping = "other";
  delivery.result = DeliveryRecord::Result::failed;
  delivery.reason = "the function failed: Error: no";
  fake.log.add(delivery);
  const TestJson page = api.ok("GET", deliveries_path);
  CHECK(page.at("last") == 2);
  REQUIRE(page.at("deliveries").size() == 2);
  CHECK(page.at("deliveries")[0] ==
        TestJson{{"number", 1},
                 {"time", "2026-01-31T08:00:00.000Z"},
                 {"trigger", "id of bills"},
                 {"functionArn", delivery.function},
                 {"streamArn", delivery.stream},
                 {"shard", "shardId-1"},
                 {"batch", "b"},
                 {"first", "101"},
                 {"last", "102"},
                 {"records", 2},
                 {"tries", 1},
                 {"result", "done"},
                 {"milliseconds", 12},
                 {"event", {{"text", R"({"Records":[]})"}, {"bytes", 14}, {"cut", false}}},
                 {"answer", {{"text", "null"}, {"bytes", 4}, {"cut", false}}}});
  const auto numbers = [this](const std::string& query) {
    std::string text;
    const TestJson found = api.ok("GET", deliveries_path + query);
    for (const TestJson& one : found.at("deliveries"))
      text += std::to_string(one.at("number").get<int>()) + " ";
    return text;
  };
  CHECK(numbers("?trigger=bills") == "1 ");
  CHECK(numbers("?trigger=id%20of%20bills") == "1 ");
  CHECK(numbers("?failed=true") == "2 ");
  CHECK(numbers("?failed=false&after=1") == "2 ");
  CHECK(api.send("GET", deliveries_path + "?trigger=none").message() == "There is no trigger 'none'.");
  CHECK(api.send("GET", deliveries_path + "?failed=1").message() ==
        "The parameter 'failed' is true or false.");
  CHECK(api.send("GET", deliveries_path + "?after=x").status == 400);
}

TEST_CASE_METHOD(TriggerFixture, "a trigger that waits for a stream has no deliveries") {
  fake.states.push_back({.trigger = {.name = "waiting", .table = "Later"}});
  fake.log.add({.mapping = "other"});
  CHECK(api.ok("GET", deliveries_path + "?trigger=waiting").at("deliveries").empty());
}

TEST_CASE_METHOD(TriggerFixture, "a delivery is sent again") {
  fake.log.add({.mapping = "m", .event = std::make_shared<const std::string>("{}")});
  const TestJson again = api.ok("POST", deliveries_path + "/1/repeat");
  CHECK(again.at("number") == 2);
  CHECK(again.at("repeats") == 1);
  for (const char* number : {"7", "x", "1x"}) {
    const Response response = api.send("POST", deliveries_path + "/" + number + "/repeat");
    CHECK(response.status == 404);
  }
}

TEST_CASE("a server that calls no functions has no triggers, and gets none") {
  Fixture f;
  CHECK(f.ok("GET", triggers_path).at("triggers").empty());
  CHECK(f.ok("GET", deliveries_path) ==
        TestJson{{"world", "default"}, {"deliveries", TestJson::array()}, {"last", 0}});
  CHECK(f.send("PUT", triggers_path, R"({"triggers":[]})").message() == "This server has no triggers.");
  CHECK(f.send("POST", deliveries_path + "/1/repeat").status == 404);
}

}  // namespace dinette::admin::triggers_test
