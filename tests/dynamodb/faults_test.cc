#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// What rules (dinette/store/faults.h) do to requests. How they count is tested there.
namespace test::faults_test {
namespace {

using dinette::store::FaultEffect;
using dinette::store::FaultRecord;
using dinette::store::FaultRule;
using Phase = FaultEffect::Phase;
namespace http = dinette::http;

struct Faulty {
  DynamoDb db;

  Faulty() { db.create_table(the_table); }

  dinette::store::Faults& faults() { return db.worlds().pick("").value()->faults(); }
  void order(std::vector<FaultRule> rules) { faults().replace(std::move(rules)); }
  FaultRecord record() { return faults().list().at(0); }
};

FaultEffect error(std::string type, Phase phase = Phase::before) {
  return {.phase = phase, .error = std::move(type)};
}

/// Returns true if the request gets no answer.
bool is_dropped(DynamoDb& db, std::string_view operation, const std::string& body) {
  const std::string target = "DynamoDB_20120810." + std::string(operation);
  const std::vector<http::Header> headers = {{"Host", "localhost"}, {"X-Amz-Target", target}};
  http::Response response;
  db.handle({.method = "POST", .target = "/", .headers = headers, .body = body, .remote = "test"}, response);
  return response.drop;
}

constexpr std::string_view throughput = "ProvisionedThroughputExceededException";

}  // namespace

TEST_CASE("an error that is ordered comes in the place of the operation") {
  Faulty f;
  f.order({{.operation = "PutItem", .times = 1, .effect = error(std::string(throughput))}});
  const Reply refused = call_item(f.db, "PutItem");
  CHECK(refused.status == 400);
  CHECK(refused.json() == Json{{"__type", "com.amazonaws.dynamodb.v20120810#" + std::string(throughput)},
                               {"message",
                                "The level of configured provisioned throughput for the table was exceeded. "
                                "Consider increasing your provisioning level with the UpdateTable API."}});
  CHECK(f.db.get(the_table, key_a).is_null());
  ok_item(f.db, "PutItem");
  CHECK((f.record().matched == 2 && f.record().fired == 1));
}

TEST_CASE("every error of the service can be ordered, with its status and a message") {
  Faulty f;
  for (const auto& form : dinette::dynamodb::api::error_forms) {
    INFO(form.name);
    f.order({{.effect = error(std::string(form.name))}});
    // Not by call(), which checks that an operation lists its errors.
    const Reply usual = f.db.send("POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}, "{}");
    CHECK(usual.status == form.status);
    CHECK(usual.error() == form.name);
    CHECK_FALSE(usual.message().empty());
    f.order({{.effect = {.error = std::string(form.name), .message = "Not now."}}});
    CHECK(f.db.send("POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}, "{}").message() ==
          "Not now.");
  }
}

TEST_CASE("after the operation, its answer is lost but its effect stays") {
  Faulty f;
  f.order({{.operation = "PutItem", .effect = error("InternalServerError", Phase::after)}});
  const Reply lost = call_item(f.db, "PutItem");
  CHECK(lost.status == 500);
  CHECK(lost.json() == Json{{"__type", "com.amazonaws.dynamodb.v20120810#InternalServerError"},
                            {"message", "Internal server error"}});
  CHECK(f.db.get(the_table, key_a) == key_a);
}

TEST_CASE("an operation's own error is lost, too") {
  Faulty f;
  store_item(f.db, "");
  f.order({{.operation = "PutItem", .effect = error("InternalServerError", Phase::after)}});
  CHECK(call_item(f.db, "PutItem", condition("attribute_not_exists(pk)")).error() == "InternalServerError");
}

TEST_CASE("a dropped connection gets no answer, before the operation or after it") {
  Faulty f;
  const std::string put = about_one_item("PutItem", "");
  f.order({{.effect = {.drop = true}}});
  CHECK(is_dropped(f.db, "PutItem", put));
  f.order({});
  CHECK(f.db.get(the_table, key_a).is_null());
  f.order({{.effect = {.phase = Phase::after, .drop = true}}});
  CHECK(is_dropped(f.db, "PutItem", put));
  f.order({});
  CHECK(f.db.get(the_table, key_a) == key_a);
  CHECK_FALSE(is_dropped(f.db, "PutItem", put));
}

TEST_CASE("a delay alone changes no answer") {
  Faulty f;
  for (const Phase phase : {Phase::before, Phase::after}) {
    f.order({{.effect = {.phase = phase, .delay = std::chrono::milliseconds(1)}}});
    ok_item(f.db, "PutItem");
    CHECK(f.record().fired == 1);
  }
}

TEST_CASE("while there are rules, no request of their world is answered on an event loop") {
  Faulty f;
  const std::string get = about_one_item("GetItem", "");
  CHECK(f.db.call_on_loop("GetItem", get));
  f.order({{.operation = "PutItem", .effect = {.drop = true}}});
  CHECK_FALSE(f.db.call_on_loop("GetItem", get));
  CHECK(f.db.call("GetItem", get).status == 200);
  f.order({{.effect = error("InternalServerError")}});
  CHECK_FALSE(f.db.call_on_loop("GetItem", get));
  CHECK(f.record().matched == 0);
  f.order({});
  CHECK(f.db.call_on_loop("GetItem", get));
}

TEST_CASE("a rule for a table hits all requests that name it") {
  Faulty f;
  f.db.create_table("Other");
  f.order({{.table = "Tab", .effect = error("InternalServerError")}});
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Tab";
  const Json key = {{"pk", {{"S", "a"}}}};
  const auto requests = [&](const std::string& table) {
    const Json put = {{"TableName", table}, {"Item", key}};
    const Json get = {{"TableName", table}, {"Key", key}};
    const Json write = Json::array({{{"PutRequest", {{"Item", key}}}}});
    return std::vector<std::pair<std::string, Json>>{
        {"PutItem", put},
        {"Scan", {{"TableName", table}}},
        {"DescribeTable", {{"TableName", table}}},
        {"BatchGetItem", {{"RequestItems", {{table, {{"Keys", Json::array({key})}}}}}}},
        {"BatchWriteItem", {{"RequestItems", {{table, write}}}}},
        {"TransactGetItems", {{"TransactItems", Json::array({{{"Get", get}}})}}},
        {"TransactWriteItems", {{"TransactItems", Json::array({{{"Put", put}}})}}},
    };
  };
  for (const std::string& table : {std::string("Tab"), arn}) {
    for (const auto& [operation, body] : requests(table)) {
      INFO(operation << " " << table);
      CHECK(f.db.call(operation, body).error() == "InternalServerError");
    }
  }
  for (const auto& [operation, body] : requests("Other")) {
    INFO(operation);
    CHECK(f.db.call(operation, body).status == 200);
  }
  CHECK(f.db.call("ListTables", "{}").status == 200);
  CHECK(f.db.call("ListTagsOfResource", Json{{"ResourceArn", arn}}).error() == "InternalServerError");
}

TEST_CASE("requests that are refused as malformed match no rule") {
  Faulty f;
  f.order({{.effect = error("InternalServerError")}});
  CHECK(f.db.call("PutItem", R"({"TableName": 5})").error() == "SerializationException");
  CHECK(f.db.call("PutItem", "{}").error() == "ValidationException");
  CHECK(f.record().matched == 0);
}

TEST_CASE("faults are those of one world; forks and reset worlds have none") {
  Faulty f;
  f.order({{.effect = error("InternalServerError")}});
  REQUIRE(f.db.worlds().add_fork("fork", f.db.worlds().pick("").value()->image().value()).value());
  const Headers in_fork = {{"X-Dinette-World", "fork"}};
  CHECK(f.db.call("ListTables", "{}", in_fork).status == 200);
  CHECK(f.db.call("ListTables", "{}").status == 500);
  REQUIRE(f.db.worlds().reset("").ok());
  CHECK(f.db.call("ListTables", "{}").status == 200);
}

}  // namespace test::faults_test
