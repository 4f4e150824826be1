#include "support/cbor.h"

#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"
#include "dinette/observe/recent_requests.h"

#include "dynamodb/api/examples.h"
#include "dynamodb/api/service.h"
#include "support/tables.h"

// docs/service/wire.md section 10: DynamoDB in CBOR, compared with itself in JSON.
namespace test::cbor_test {

namespace api = dinette::dynamodb::api;

namespace {

enum class Protocol { smithy, amz };

Reply call_in_cbor(DynamoDb& db, std::string_view operation, const std::string& body, Protocol protocol,
                   Headers headers = {}) {
  const std::string service(api::target_prefix_of(operation));
  const std::string name(operation);
  headers.emplace_back("Host", "localhost:8000");
  if (protocol == Protocol::amz) {
    headers.emplace_back("X-Amz-Target", service + "." + name);
    headers.emplace_back("Content-Type", "application/x-amz-cbor-1.0");
    return db.send("POST", "/", headers, body);
  }
  headers.emplace_back("Smithy-Protocol", "rpc-v2-cbor");
  headers.emplace_back("Content-Type", "application/cbor");
  return db.send("POST", "/service/" + service + "/operation/" + name, headers, body);
}

/// What a request in JSON is in CBOR: B and BS hold bytes.
std::string request_in_cbor(std::string_view json) {
  return in_cbor(with_bytes(Json::parse(json)));
}

/// The name of an error, which is all that its type in Smithy RPC v2 has of that in JSON.
Json without_name_space(Json answer) {
  if (!answer.contains("__type")) return answer;
  const std::string type = answer["__type"];
  answer["__type"] = type.substr(type.find('#') + 1);
  return answer;
}

Json answer_in_json(const Reply& reply) {
  return reply.body.empty() ? Json("nothing") : Json::parse(reply.body);
}

/// Times are compared as numbers: 1 or 1.0.
Json answer_in_cbor(const Reply& reply, Protocol protocol) {
  return reply.body.empty() ? Json("nothing") : of_cbor(reply.body, protocol == Protocol::amz ? 1000 : 1);
}

}  // namespace

TEST_CASE("every example of the specs is answered in CBOR as in JSON", "[same on every engine]") {
  for (const Protocol protocol : {Protocol::smithy, Protocol::amz}) {
    for (const api::Example& example : api::examples) {
      DynamoDb json_db;
      DynamoDb cbor_db;
      create_music(json_db);
      create_music(cbor_db);
      const Reply json = json_db.call(example.operation, example.request);
      const Reply cbor = call_in_cbor(cbor_db, example.operation, request_in_cbor(example.request), protocol);
      INFO(example.operation << ", " << example.title << ": " << json.body);
      CHECK(cbor.status == json.status);
      CHECK(without_name_space(answer_in_cbor(cbor, protocol)) == without_name_space(answer_in_json(json)));
    }
  }
}

TEST_CASE("bytes go in and out as byte strings, wherever an item is") {
  DynamoDb db;
  db.create_table("Table", "B");
  const Json one = {
      {"pk", {{"B", bytes("one")}}},
      {"set", {{"BS", Json::array({bytes("a"), bytes("b")})}}},
      {"tree", {{"M", {{"B", {{"B", bytes("")}}}, {"l", {{"L", Json::array({{{"B", bytes("x")}}})}}}}}}}};
  const Json key = {{"pk", one.at("pk")}};
  for (const Protocol protocol : {Protocol::smithy, Protocol::amz}) {
    const auto call = [&](std::string_view operation, const Json& request) {
      const Reply reply = call_in_cbor(db, operation, in_cbor(request), protocol);
      INFO(operation << " " << reply.status);
      return of_cbor(reply.body, 1, Bytes::kept);
    };
    CHECK(call("PutItem", {{"TableName", "Table"}, {"Item", one}}) == Json::object());
    CHECK(db.get("Table", {{"pk", {{"B", "b25l"}}}}).at("set") == Json({{"BS", {"YQ==", "Yg=="}}}));
    CHECK(call("GetItem", {{"TableName", "Table"}, {"Key", key}}).at("Item") == one);
    CHECK(call("Scan", {{"TableName", "Table"}}).at("Items") == Json::array({one}));
    CHECK(call("Scan", {{"TableName", "Table"}, {"Limit", 1}}).at("LastEvaluatedKey") == key);
    CHECK(call("BatchGetItem", {{"RequestItems", {{"Table", {{"Keys", Json::array({key})}}}}}})
              .at("Responses")
              .at("Table") == Json::array({one}));
    CHECK(call("TransactGetItems",
               {{"TransactItems", Json::array({{{"Get", {{"TableName", "Table"}, {"Key", key}}}}})}})
              .at("Responses") == Json::array({{{"Item", one}}}));
    CHECK(call("ExecuteStatement",
               {{"Statement", "SELECT * FROM \"Table\" WHERE pk = ?"}, {"Parameters", {key.at("pk")}}})
              .at("Items") == Json::array({one}));
    const Json held = {{"TableName", "Table"},
                       {"Key", key},
                       {"ConditionExpression", "attribute_not_exists(pk)"},
                       {"ReturnValuesOnConditionCheckFailure", "ALL_OLD"}};
    CHECK(call("DeleteItem", held).at("Item") == one);
    const Json canceled = call("TransactWriteItems", {{"TransactItems", Json::array({{{"Delete", held}}})}});
    CHECK(canceled.at("CancellationReasons").at(0).at("Item") == one);
  }
}

TEST_CASE("stream records have bytes and times") {
  DynamoDb db;
  create_music(db);
  db.put("Music", {{"Artist", {{"S", "x"}}}, {"Year", {{"N", "1"}}}, {"data", {{"B", "AQI="}}}});
  const std::string stream =
      db.ok("DescribeTable", {{"TableName", "Music"}}).at("Table").at("LatestStreamArn");
  const Json shards = db.ok("DescribeStream", {{"StreamArn", stream}}).at("StreamDescription").at("Shards");
  std::size_t with_data = 0;
  for (const Json& shard : shards) {
    const Json iterator = db.ok(
        "GetShardIterator",
        {{"StreamArn", stream}, {"ShardId", shard.at("ShardId")}, {"ShardIteratorType", "TRIM_HORIZON"}});
    const Json json = db.ok("GetRecords", iterator).at("Records");
    for (const Protocol protocol : {Protocol::smithy, Protocol::amz}) {
      const Reply reply = call_in_cbor(db, "GetRecords", in_cbor(iterator), protocol);
      const int unit = protocol == Protocol::amz ? 1000 : 1;
      CHECK(of_cbor(reply.body, unit).at("Records") == json);
      const Json answer = of_cbor(reply.body, unit, Bytes::kept);
      for (const Json& record : answer.at("Records")) {
        const Json image = record.at("dynamodb").at("NewImage");
        with_data += image.value("data", Json()) == Json({{"B", bytes("\1\2")}}) ? 1 : 0;
      }
    }
  }
  CHECK(with_data == 2);
}

TEST_CASE("a time in a request may be tagged") {
  DynamoDb db;
  db.create_table("Table");
  db.ok(
      "UpdateContinuousBackups",
      {{"TableName", "Table"}, {"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}});
  // A map of three members, the last of which is the time 0.
  std::string request = "\xa3";
  for (const char* text : {"SourceTableName", "Table", "TargetTableName", "Restored", "RestoreDateTime"})
    request += in_cbor(text);
  request += std::string("\xc1\0", 2);
  for (const Protocol protocol : {Protocol::smithy, Protocol::amz}) {
    const Reply reply = call_in_cbor(db, "RestoreTableToPointInTime", request, protocol);
    CHECK(without_name_space(of_cbor(reply.body, 1)).at("__type") == "InvalidRestoreTimeException");
  }
}

TEST_CASE("errors are those of the service's model, by the name of the service that was called") {
  DynamoDb db;
  const auto type_of = [&](std::string_view operation, const Json& request, Protocol protocol) {
    return of_cbor(call_in_cbor(db, operation, in_cbor(request), protocol).body, 1).at("__type");
  };
  const Json no_table = {{"TableName", "None"}};
  CHECK(type_of("DescribeTable", no_table, Protocol::smithy) ==
        "com.amazonaws.dynamodb#ResourceNotFoundException");
  CHECK(type_of("DescribeTable", no_table, Protocol::amz) ==
        "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException");
  CHECK(type_of("DescribeTable", Json::object(), Protocol::smithy) ==
        "com.amazonaws.dynamodb#ValidationException");
  CHECK(type_of("GetRecords", {{"ShardIterator", "x"}}, Protocol::smithy) ==
        "com.amazonaws.dynamodbstreams#ValidationException");
  CHECK(type_of("GetItem", {{"TableName", "Table"}, {"Key", {{"pk", {{"S", bytes("x")}}}}}},
                Protocol::smithy) == "com.amazonaws.dynamodb#SerializationException");
  CHECK(type_of("GetItem", {{"TableName", "Table"}, {"Key", {{"pk", {{"N", 5}}}}}}, Protocol::smithy) ==
        "com.amazonaws.dynamodb#SerializationException");
}

TEST_CASE("an operation without output has neither a body nor a type in Smithy RPC v2") {
  DynamoDb db;
  db.create_table("Table");
  const Json table = db.ok("DescribeTable", {{"TableName", "Table"}}).at("Table").at("TableArn");
  const std::string request =
      in_cbor({{"ResourceArn", table}, {"Tags", Json::array({{{"Key", "a"}, {"Value", "b"}}})}});
  const Reply smithy = call_in_cbor(db, "TagResource", request, Protocol::smithy);
  CHECK(smithy.status == 200);
  CHECK(smithy.body.empty());
  CHECK(smithy.content_type.empty());
  CHECK(smithy.header("smithy-protocol") == "rpc-v2-cbor");
  CHECK(call_in_cbor(db, "TagResource", request, Protocol::amz).content_type == "application/x-amz-cbor-1.0");
}

TEST_CASE("items nest as deep in CBOR as in JSON") {
  DynamoDb db;
  db.create_table("Table");
  const auto put = [&](int levels) {
    std::string value = R"({"S":"x"})";
    for (int i = 1; i < levels; ++i) value = R"({"L":[)" + value + "]}";
    const std::string request = R"({"TableName":"Table","Item":{"pk":{"S":"a"},"deep":)" + value + "}}";
    const Reply json = db.call("PutItem", request);
    const Reply cbor = call_in_cbor(db, "PutItem", request_in_cbor(request), Protocol::smithy);
    INFO(levels << " " << json.body);
    CHECK(without_name_space(of_cbor(cbor.body, 1)) == without_name_space(Json::parse(json.body)));
    return json.status;
  };
  CHECK(put(31) == 200);
  CHECK(put(33) == 400);
  CHECK(put(400) == 400);
  CHECK(put(600) == 400);
}

TEST_CASE("fault rules, explanations and world headers work in CBOR") {
  DynamoDb db;
  db.create_table("Table");
  const Json get = {{"TableName", "Table"}, {"Key", {{"pk", {{"S", "a"}}}}}};
  const Reply explained = call_in_cbor(db, "Scan", in_cbor({{"TableName", "Table"}}), Protocol::smithy,
                                       {{"X-Dinette-Explain", "true"}});
  CHECK_FALSE(explained.header("X-Dinette-Explain").empty());
  const Reply elsewhere =
      call_in_cbor(db, "GetItem", in_cbor(get), Protocol::smithy, {{"X-Dinette-World", "other"}});
  CHECK(of_cbor(elsewhere.body, 1).at("__type") == "com.amazonaws.dynamodb#ValidationException");
}

}  // namespace test::cbor_test
