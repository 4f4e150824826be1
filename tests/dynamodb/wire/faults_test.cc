#include "dinette/tenancy/faults.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/pending.h"

#include "dynamodb/api/errors.h"
#include "dynamodb/api/examples.h"
#include "dynamodb/one_item.h"
#include "dynamodb/wire/endpoint.h"
#include "support/tables.h"

// What rules (dinette/tenancy/faults.h) do to requests. How they count is tested there. They are ordered
// behind the back of the world, which would agree on them with the other servers of an engine.
namespace test::faults_test {
namespace {

using dinette::tenancy::FaultDelay;
using dinette::tenancy::FaultEffect;
using dinette::tenancy::FaultRecord;
using dinette::tenancy::FaultRule;
using Phase = FaultEffect::Phase;
namespace http = dinette::http;

struct Faulty {
  DynamoDb db;

  Faulty() { db.create_table(the_table); }

  dinette::tenancy::Faults& faults() { return db.worlds().pick("").value()->faults(); }
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

TEST_CASE("an injected error replaces the operation", "[own engine]") {
  Faulty f;
  f.order({{.operation = "PutItem", .times = 1, .effect = error(std::string(throughput))}});
  const Reply refused = call_item(f.db, "PutItem");
  CHECK(refused.status == 400);
  CHECK(refused.json() == Json{{"__type", "com.amazonaws.dynamodb.v20120810#" + std::string(throughput)},
                               {"message",
                                "The level of configured provisioned throughput for the table was exceeded. "
                                "Consider increasing your provisioning level with the UpdateTable API."},
                               {"ThrottlingReasons",
                                {{{"reason", "TableWriteProvisionedThroughputExceeded"},
                                  {"resource", "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"}}}}});
  CHECK(f.db.get(the_table, key_a).is_null());
  ok_item(f.db, "PutItem");
  CHECK((f.record().matched == 2 && f.record().fired == 1));
}

TEST_CASE("an error that throttles an operation on items says why, of the first table that the request names",
          "[own engine]") {
  Faulty f;
  const auto reason = [&](std::string_view operation, std::string_view type) {
    f.order({{.effect = error(std::string(type))}});
    const Json body = call_item(f.db, operation).json();
    return body.value(type == "ThrottlingException" ? "throttlingReasons" : "ThrottlingReasons",
                      Json::array());
  };
  const auto said = [](std::string_view name) {
    return Json::array(
        {{{"reason", name}, {"resource", "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"}}});
  };
  CHECK(reason("GetItem", throughput) == said("TableReadProvisionedThroughputExceeded"));
  CHECK(reason("Query", "ThrottlingException") == said("TableReadKeyRangeThroughputExceeded"));
  CHECK(reason("DeleteItem", "RequestLimitExceeded") == said("TableWriteAccountLimitExceeded"));
  CHECK(reason("PutItem", "InternalServerError").empty());
  CHECK(reason("DescribeTable", "ThrottlingException").empty());
  f.order({{.effect = error("ThrottlingException")}});
  CHECK(call_item(f.db, "PutItem")
            .message()
            .starts_with("Throughput exceeds the current capacity of your table"));
  CHECK(f.db.call("DescribeTable", R"({"TableName": "Tab"})").message() ==
        "Rate of requests exceeds the allowed throughput.");
}

TEST_CASE("every error of the service can be injected, with its status and a message", "[own engine]") {
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

TEST_CASE("after the operation, its answer is lost but its effect stays", "[own engine]") {
  Faulty f;
  f.order({{.operation = "PutItem", .effect = error("InternalServerError", Phase::after)}});
  const Reply lost = call_item(f.db, "PutItem");
  CHECK(lost.status == 500);
  CHECK(lost.json() == Json{{"__type", "com.amazonaws.dynamodb.v20120810#InternalServerError"},
                            {"message", "Internal server error"}});
  CHECK(f.db.get(the_table, key_a) == key_a);
}

TEST_CASE("an operation's own error is lost, too", "[own engine]") {
  Faulty f;
  store_item(f.db, "");
  f.order({{.operation = "PutItem", .effect = error("InternalServerError", Phase::after)}});
  CHECK(call_item(f.db, "PutItem", condition("attribute_not_exists(pk)")).error() == "InternalServerError");
}

TEST_CASE("a dropped connection gets no answer, before the operation or after it", "[own engine]") {
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

TEST_CASE("a delay alone changes no answer", "[own engine]") {
  Faulty f;
  for (const Phase phase : {Phase::before, Phase::after}) {
    f.order({{.effect = {.phase = phase, .delay = FaultDelay::always(std::chrono::milliseconds(1))}}});
    ok_item(f.db, "PutItem");
    CHECK(f.record().fired == 1);
  }
}

TEST_CASE("a delay comes before the operation, or after it, and takes no thread", "[own engine]") {
  Faulty f;
  const Phase phase = GENERATE(Phase::before, Phase::after);
  f.order({{.operation = "PutItem",
            .effect = {.phase = phase, .delay = FaultDelay::always(std::chrono::hours(1))}}});
  const std::string target = "DynamoDB_20120810.PutItem";
  const std::vector<http::Header> headers = {{"Host", "localhost"}, {"X-Amz-Target", target}};
  const std::string body = about_one_item("PutItem", "");
  const http::Request put{
      .method = "POST", .target = "/", .headers = headers, .body = body, .remote = "test"};
  http::Response response;
  f.db.begin(put, response);
  REQUIRE(response.deferral);
  CHECK(response.must_wait == (phase == Phase::before));
  CHECK(f.db.get(the_table, key_a).is_null() == (phase == Phase::before));
  bool due = false;
  response.deferral->when_due([&] { due = true; });
  CHECK_FALSE(due);
  f.order({});
  CHECK(due);
  if (phase == Phase::before) {
    f.db.begin(put, response);
    CHECK_FALSE(response.must_wait);
    CHECK_FALSE(response.deferral);
  }
  CHECK(response.status == 200);
  CHECK(f.db.get(the_table, key_a) == key_a);
}

TEST_CASE("a request that was delayed continues in the world that it has picked", "[own engine]") {
  Faulty f;
  f.order({{.operation = "ListTables", .effect = {.delay = FaultDelay::always(std::chrono::hours(1))}}});
  const std::vector<http::Header> headers = {{"Host", "localhost"},
                                             {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
  const http::Request list{
      .method = "POST", .target = "/", .headers = headers, .body = "{}", .remote = "test"};
  http::Response response;
  f.db.begin(list, response);
  bool due = false;
  response.deferral->when_due([&] { due = true; });
  REQUIRE(f.db.worlds().reset("").ok());
  CHECK(due);
  f.db.begin(list, response);
  CHECK(response.body == R"({"TableNames":["Tab"]})");
  CHECK(f.db.ok("ListTables", Json::object()).at("TableNames").empty());
}

TEST_CASE("while there are rules, no request of their world is answered on an event loop", "[own engine]") {
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

TEST_CASE("a batch leaves the items that a rule names unprocessed, and does the others", "[own engine]") {
  Faulty f;
  const auto key = [](std::string_view pk) { return Json{{"pk", {{"S", pk}}}}; };
  const Json keys = Json::array({key("1"), key("2"), key("3"), key("4")});
  Json puts = Json::array();
  for (const Json& one : keys) puts.push_back({{"PutRequest", {{"Item", one}}}});
  f.order({{.operation = "BatchWriteItem", .times = 1, .effect = {.unprocessed = {2, 4}}},
           {.operation = "BatchGetItem", .times = 1, .effect = {.unprocessed = {1}}}});
  const Json written = f.db.ok("BatchWriteItem", {{"RequestItems", {{the_table, puts}}}});
  CHECK(written.at("UnprocessedItems") == Json{{the_table, {puts[1], puts[3]}}});
  const Json asked = {{"Keys", keys}, {"ConsistentRead", true}};
  const Json read =
      f.db.ok("BatchGetItem", {{"RequestItems", {{the_table, asked}}}, {"ReturnConsumedCapacity", "TOTAL"}});
  CHECK(read.at("Responses") == Json{{the_table, Json::array({keys[2]})}});
  CHECK(read.at("UnprocessedKeys") ==
        Json{{the_table, {{"Keys", Json::array({keys[0]})}, {"ConsistentRead", true}}}});
  CHECK(read.at("ConsumedCapacity")[0].at("CapacityUnits") == 3);
  f.db.ok("BatchWriteItem", {{"RequestItems", written.at("UnprocessedItems")}});
  CHECK(f.db.ok("Scan", {{"TableName", the_table}}).at("Count") == 4);
}

TEST_CASE("the items of a batch are counted over all its tables", "[own engine]") {
  Faulty f;
  f.db.create_table("Other");
  f.order({{.operation = "BatchGetItem", .effect = {.unprocessed = {2}}}});
  const Json keys = {{"Keys", Json::array({key_a})}};
  const std::string body =
      R"({"RequestItems": {"Tab": )" + keys.dump() + R"(, "Other": )" + keys.dump() + "}}";
  CHECK(f.db.call("BatchGetItem", body).json().at("UnprocessedKeys") == Json{{"Other", keys}});
}

TEST_CASE("a share of a batch's items is left unprocessed, the same ones with the same seed",
          "[own engine]") {
  Faulty f;
  Json puts = Json::array();
  for (int i = 0; i < 25; ++i)
    puts.push_back({{"PutRequest", {{"Item", {{"pk", {{"S", std::to_string(i)}}}}}}}});
  const auto unprocessed = [&](std::uint64_t seed) {
    f.order({{.operation = "BatchWriteItem", .seed = seed, .effect = {.unprocessed_share = 0.5}}});
    Json left;
    for (int i = 0; i < 8; ++i) {
      left.push_back(f.db.ok("BatchWriteItem", {{"RequestItems", {{the_table, puts}}}})
                         .at("UnprocessedItems")
                         .at(the_table));
    }
    return left;
  };
  const Json left = unprocessed(1);
  std::size_t count = 0;
  for (const Json& one : left) count += one.size();
  CHECK((count > 60 && count < 140));
  CHECK(left[0] != left[1]);
  CHECK(unprocessed(1) == left);
  CHECK(unprocessed(2) != left);
}

TEST_CASE("a batch of which nothing is processed is refused as the service does", "[own engine]") {
  Faulty f;
  f.order({{.effect = {.unprocessed_share = 1}}});
  const Json put = {{"PutRequest", {{"Item", key_a}}}};
  CHECK(f.db.call("BatchWriteItem", Json{{"RequestItems", {{the_table, Json::array({put})}}}}).error() ==
        throughput);
  CHECK(f.db.call("BatchGetItem", Json{{"RequestItems", {{the_table, {{"Keys", Json::array({key_a})}}}}}})
            .error() == throughput);
  CHECK(f.db.ok("Scan", {{"TableName", the_table}}).at("Count") == 0);
}

TEST_CASE("a rule must name operations and errors that there are, and a batch to leave items of",
          "[own engine]") {
  const auto problem = [](FaultRule rule) { return dinette::dynamodb::prepare_fault(rule); };
  const FaultEffect partial = {.unprocessed = {1}};
  CHECK_FALSE(problem({.operation = "PutItem", .effect = error("ThrottlingException")}));
  CHECK_FALSE(problem({.operation = "GetRecords", .effect = {.drop = true}}));
  CHECK_FALSE(problem({.operation = "BatchGetItem", .effect = partial}));
  CHECK_FALSE(problem({.operation = "BatchWriteItem", .effect = {.unprocessed_share = 0.5}}));
  CHECK_FALSE(problem({.operation = "BatchExecuteStatement", .effect = partial}));
  CHECK(problem({.operation = "putItem", .effect = {.drop = true}}) ==
        "Dinette serves no operation 'putItem'.");
  CHECK(problem({.effect = error("Throttling")}) == "DynamoDB has no error 'Throttling'.");
  for (const char* operation : {"", "PutItem"}) {
    CHECK(problem({.operation = operation, .effect = partial}) ==
          "Only the operations BatchGetItem, BatchWriteItem and BatchExecuteStatement leave items "
          "unprocessed.");
  }
}

TEST_CASE("the sentence about batches names all of them", "[own engine]") {
  FaultRule rule{.operation = "PutItem", .effect = {.unprocessed = {1}}};
  const std::string sentence = dinette::dynamodb::prepare_fault(rule).value();
  for (const auto& endpoint : dinette::dynamodb::wire::endpoints()) {
    const std::string name(endpoint.operation->name);
    const bool batch = endpoint.kind.grouping == dinette::aws::Grouping::batch;
    CHECK((sentence.find(" " + name + " ") != std::string::npos ||
           sentence.find(" " + name + ",") != std::string::npos) == batch);
  }
}

TEST_CASE("a rule for a table hits all examples of the specs that name it, and no others", "[own engine]") {
  for (const auto& example : dinette::dynamodb::api::examples) {
    if (example.answer.find("failed to satisfy constraint") != std::string_view::npos) continue;
    Faulty f;
    f.order({{.table = "Music", .effect = error("InternalServerError")}});
    INFO(example.operation << " " << example.request);
    // Iterators are opaque, one names where a list begins, and global tables are no tables (their replicas
    // are).
    const bool elsewhere = example.operation == "GetRecords" || example.operation == "ListTables" ||
                           (example.operation.find("GlobalTable") != std::string_view::npos);
    const bool named = example.request.find("Music") != std::string_view::npos && !elsewhere;
    CHECK((f.db.call(example.operation, example.request).error() == "InternalServerError") == named);
  }
}

TEST_CASE("a rule for a table hits all requests that name it", "[own engine]") {
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

TEST_CASE("a rule for a key hits all requests that name an item with it", "[own engine]") {
  Faulty f;
  f.db.create_table("Numbers", "N", "S");
  const auto key = [](std::string_view number, std::string_view text) {
    return Json{{"pk", {{"N", number}}}, {"sk", {{"S", text}}}};
  };
  FaultRule rule{.key = {{"pk", "N", "1.50"}, {"sk", "S", "a"}}, .effect = error("InternalServerError")};
  REQUIRE_FALSE(dinette::dynamodb::prepare_fault(rule));
  f.order({rule});
  const auto requests = [&](const Json& one) {
    const std::string table = "Numbers";
    Json item = one;
    item["more"] = {{"L", Json::array()}};
    const Json other = key("7", "a");
    const Json put = {{"TableName", table}, {"Item", item}};
    const Json get = {{"TableName", table}, {"Key", one}};
    Json update = get;
    update["UpdateExpression"] = "SET x = pk";
    const Json writes =
        Json::array({{{"DeleteRequest", {{"Key", other}}}}, {{"PutRequest", {{"Item", item}}}}});
    const Json deletes =
        Json::array({{{"PutRequest", {{"Item", other}}}}, {{"DeleteRequest", {{"Key", one}}}}});
    return std::vector<std::pair<std::string, Json>>{
        {"PutItem", put},
        {"GetItem", get},
        {"DeleteItem", get},
        {"UpdateItem", update},
        {"BatchGetItem", {{"RequestItems", {{table, {{"Keys", Json::array({other, one})}}}}}}},
        {"BatchWriteItem", {{"RequestItems", {{table, writes}}}}},
        {"BatchWriteItem", {{"RequestItems", {{table, deletes}}}}},
        {"TransactGetItems", {{"TransactItems", Json::array({{{"Get", get}}})}}},
        {"TransactWriteItems", {{"TransactItems", Json::array({{{"Put", put}}})}}},
        {"TransactWriteItems", {{"TransactItems", Json::array({{{"Delete", get}}})}}},
        {"TransactWriteItems", {{"TransactItems", Json::array({{{"Update", update}}})}}},
    };
  };
  for (const auto& [operation, body] : requests(key("15e-1", "a"))) {
    INFO(operation << " " << body.dump());
    CHECK(f.db.call(operation, body).error() == "InternalServerError");
  }
  for (const Json& miss : {key("1.5", "b"), key("2", "a")}) {
    for (const auto& [operation, body] : requests(miss)) {
      INFO(operation << " " << body.dump());
      CHECK(f.db.call(operation, body).status == 200);
    }
  }
  CHECK(f.db.call("Scan", R"({"TableName": "Numbers"})").status == 200);
  CHECK(f.record().fired == 11);
}

TEST_CASE("a key of a rule must be of the types of keys", "[own engine]") {
  using dinette::dynamodb::prepare_fault;
  const auto problem = [](std::string type, std::string value) {
    FaultRule rule{.key = {{"id", std::move(type), std::move(value)}}, .effect = {.drop = true}};
    return prepare_fault(rule);
  };
  CHECK_FALSE(problem("S", "x"));
  CHECK_FALSE(problem("B", "eHg="));
  CHECK_FALSE(problem("N", "1"));
  for (const auto& [type, value] : {std::pair("N", "one"), std::pair("SS", "x"), std::pair("s", "x")})
    CHECK(problem(type, value) == "The attribute 'id' of the key must be a string, a number or binary.");
}

TEST_CASE("a rule for a table hits statements of PartiQL on it", "[own engine]") {
  Faulty f;
  f.db.create_table("Other");
  const auto requests = [](const std::string& table) {
    const std::string select = "SELECT * FROM " + table + " WHERE pk = 'a'";
    const Json list = Json::array({{{"Statement", select}}});
    return std::vector<std::pair<std::string, Json>>{
        {"ExecuteStatement", {{"Statement", select}}},
        {"ExecuteStatement", {{"Statement", "INSERT INTO " + table + " VALUE {'pk': 'a'}"}}},
        {"ExecuteStatement", {{"Statement", "DELETE FROM " + table + " WHERE pk = 'a'"}}},
        {"BatchExecuteStatement", {{"Statements", list}}},
        {"ExecuteTransaction", {{"TransactStatements", list}}},
    };
  };
  f.order({{.table = "Tab", .effect = error("InternalServerError")}});
  for (const char* table : {"Tab", "\"Tab\"", "\"arn:aws:dynamodb:us-east-1:000000000000:table/Tab\""}) {
    for (const auto& [operation, body] : requests(table)) {
      INFO(operation << " " << body.dump());
      CHECK(f.db.call(operation, body).error() == "InternalServerError");
    }
  }
  for (const auto& [operation, body] : requests("Other")) {
    INFO(operation << " " << body.dump());
    CHECK(f.db.call(operation, body).status == 200);
  }
  CHECK(f.db.call("ExecuteStatement", R"({"Statement": "SELECT FROM Tab"})").error() ==
        "ValidationException");
}

TEST_CASE("a rule throttles statements of a batch, by their positions, and the others are run",
          "[own engine]") {
  Faulty f;
  const auto insert = [](const std::string& pk) {
    return Json{{"Statement", "INSERT INTO Tab VALUE {'pk': '" + pk + "'}"}};
  };
  f.order({{.operation = "BatchExecuteStatement", .times = 1, .effect = {.unprocessed = {2}}}});
  const Json body = {{"Statements", Json::array({insert("1"), insert("2"), insert("3")})}};
  const Json responses = f.db.ok("BatchExecuteStatement", body).at("Responses");
  const Json done = {{"TableName", "Tab"}};
  CHECK(responses[0] == done);
  CHECK(responses[2] == done);
  CHECK(responses[1].at("Error").at("Code") == "ProvisionedThroughputExceeded");
  CHECK(responses[1].at("TableName") == "Tab");
  CHECK(f.db.ok("Scan", {{"TableName", the_table}}).at("Count") == 2);
}

TEST_CASE("requests that are refused as malformed match no rule", "[own engine]") {
  Faulty f;
  f.order({{.effect = error("InternalServerError")}});
  CHECK(f.db.call("PutItem", R"({"TableName": 5})").error() == "SerializationException");
  CHECK(f.db.call("PutItem", "{}").error() == "ValidationException");
  CHECK(f.record().matched == 0);
}

TEST_CASE("faults are those of one world; forks and reset worlds have none", "[own engine]") {
  Faulty f;
  f.order({{.effect = error("InternalServerError")}});
  REQUIRE(f.db.worlds().add_fork("fork", f.db.worlds().pick("").value()->image().value()).value());
  const Headers in_fork = {{"X-Dinette-World", "fork"}};
  CHECK(f.db.call("ListTables", "{}", in_fork).status == 200);
  CHECK(f.db.call("ListTables", "{}").status == 500);
  REQUIRE(f.db.worlds().reset("").ok());
  CHECK(f.db.call("ListTables", "{}").status == 200);
}

TEST_CASE("a rule for a table is for requests that name it by whatever member", "[own engine]") {
  const std::string tab = "arn:aws:dynamodb:us-east-1:000000000000:table/Tab";
  const std::string id = "/01791633600000-0a1b2c3d";
  const Json creation = with(on_demand(), {{"TableName", "Tab"}});
  const std::vector<std::pair<std::string_view, Json>> requests{
      {"ExportTableToPointInTime", {{"TableArn", tab}, {"S3Bucket", "exports"}}},
      {"DescribeExport", {{"ExportArn", tab + "/export" + id}}},
      {"ListExports", {{"TableArn", tab}}},
      {"ImportTable",
       {{"ClientToken", "t"},
        {"InputFormat", "CSV"},
        {"S3BucketSource", {{"S3Bucket", "source"}}},
        {"TableCreationParameters", creation}}},
      {"DescribeImport", {{"ImportArn", tab + "/import" + id}}},
      {"ListImports", {{"TableArn", tab}}},
      {"CreateBackup", {{"TableName", tab}, {"BackupName", "backup"}}},
      {"DescribeBackup", {{"BackupArn", tab + "/backup" + id}}},
      {"DeleteBackup", {{"BackupArn", tab + "/backup" + id}}},
      {"RestoreTableFromBackup", {{"TargetTableName", "Copy"}, {"BackupArn", tab + "/backup" + id}}},
      {"RestoreTableToPointInTime",
       {{"TargetTableName", "Copy"}, {"SourceTableArn", tab}, {"UseLatestRestorableTime", true}}},
      {"RestoreTableToPointInTime",
       {{"TargetTableName", "Tab"}, {"SourceTableName", "Other"}, {"UseLatestRestorableTime", true}}},
      {"RestoreTableToPointInTime",
       {{"TargetTableName", "Copy"}, {"SourceTableName", "Tab"}, {"UseLatestRestorableTime", true}}},
  };
  Faulty f;
  for (const auto& [operation, request] : requests) {
    INFO(operation << " " << request.dump());
    f.order({{.table = "Tab", .times = 1, .effect = error("InternalServerError")}});
    CHECK(f.db.call(operation, request).status == 500);
    f.order({{.table = "backup", .effect = error("InternalServerError")}});
    CHECK(f.db.call(operation, request).status != 500);
  }
}

}  // namespace test::faults_test
