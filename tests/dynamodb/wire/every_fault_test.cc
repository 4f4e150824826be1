#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"
#include "support/engines.h"
#include "support/faulty_engine.h"

// Each call that an operation makes of the engine fails in turn, until there are no more: the client gets an
// internal error, and nothing has changed, or the operation has succeeded in spite of it.
namespace test::every_fault_test {

using dinette::kv::ErrorKind;
using dinette::test::EngineCall;
using dinette::test::FaultyEngine;

namespace {

struct Case {
  std::string operation;
  Json request;
  /// The operation is several that may succeed each by itself.
  bool in_parts = false;
};

const Json table = Json::parse(R"({
  "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
                           {"AttributeName": "year", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
  "LocalSecondaryIndexes": [{"IndexName": "by-year-here", "Projection": {"ProjectionType": "KEYS_ONLY"},
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "year", "KeyType": "RANGE"}]}],
  "GlobalSecondaryIndexes": [{"IndexName": "by-year", "Projection": {"ProjectionType": "ALL"},
    "KeySchema": [{"AttributeName": "year", "KeyType": "HASH"}]}],
  "Tags": [{"Key": "a", "Value": "1"}],
  "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}})");

Json named(const Json& members) {
  Json request = {{"TableName", "Music"}};
  request.update(members);
  return request;
}

Json item(const std::string& pk, int sk, int year = 1965) {
  return {{"pk", {{"S", pk}}},
          {"sk", {{"N", std::to_string(sk)}}},
          {"year", {{"N", std::to_string(year)}}},
          {"until", {{"N", "4000000000"}}}};
}

Json key(const std::string& pk, int sk) {
  return {{"pk", {{"S", pk}}}, {"sk", {{"N", std::to_string(sk)}}}};
}

Json update(int sk) {
  return {{"Key", key("a", sk)},
          {"UpdateExpression", "SET #y = :y REMOVE #u"},
          {"ExpressionAttributeNames", {{"#y", "year"}, {"#u", "until"}}},
          {"ExpressionAttributeValues", {{":y", {{"N", "1970"}}}}}};
}

std::vector<Case> cases() {
  const Json insert = {{"Statement", "INSERT INTO Music VALUE {'pk': 'n', 'sk': 1, 'year': 1999}"}};
  const Json change = {{"Statement", "UPDATE Music SET \"year\" = 1971 WHERE pk = 'a' AND sk = 1"}};
  const Json removal = {{"Statement", "DELETE FROM Music WHERE pk = 'a' AND sk = 2"}};
  const Json arn = {{"ResourceArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Music"}};
  const auto tagged = [&](const Json& members) {
    Json request = arn;
    request.update(members);
    return request;
  };
  return {
      {"PutItem", named({{"Item", item("a", 1, 1980)}})},
      {"PutItem", named({{"Item", item("new", 1)}})},
      {"UpdateItem", named(update(1))},
      {"DeleteItem", named({{"Key", key("a", 1)}})},
      {"BatchWriteItem",
       {{"RequestItems",
         {{"Music",
           {{{"PutRequest", {{"Item", item("a", 1, 1990)}}}},
            {{"DeleteRequest", {{"Key", key("a", 2)}}}}}}}}},
       true},
      {"TransactWriteItems",
       {{"ClientRequestToken", "t"},
        {"TransactItems",
         {{{"Put", named({{"Item", item("new", 2)}})}},
          {{"Update", named(update(1))}},
          {{"Delete", named({{"Key", key("a", 2)}})}}}}}},
      {"ExecuteStatement", insert},
      {"ExecuteStatement", change},
      {"ExecuteStatement", removal},
      {"BatchExecuteStatement", {{"Statements", {insert, change, removal}}}, true},
      {"ExecuteTransaction", {{"TransactStatements", {insert, change, removal}}}},
      {"CreateTable",
       [] {
         Json other = table;
         other["TableName"] = "Other";
         return other;
       }()},
      {"UpdateTable", named({{"StreamSpecification", {{"StreamEnabled", false}}}})},
      {"UpdateTable", named({{"GlobalSecondaryIndexUpdates", {{{"Delete", {{"IndexName", "by-year"}}}}}}})},
      {"UpdateTable", named({{"DeletionProtectionEnabled", true}})},
      {"DeleteTable", named(Json::object())},
      {"UpdateTimeToLive",
       named({{"TimeToLiveSpecification", {{"Enabled", false}, {"AttributeName", "until"}}}})},
      {"TagResource", tagged({{"Tags", {{{"Key", "b"}, {"Value", "2"}}}}})},
      {"UntagResource", tagged({{"TagKeys", {"a"}}})},
      {"GetItem", named({{"Key", key("a", 1)}})},
      {"Query",
       named({{"KeyConditionExpression", "pk = :a"}, {"ExpressionAttributeValues", {{":a", {{"S", "a"}}}}}})},
      {"Scan", named({{"IndexName", "by-year"}})},
      {"BatchGetItem", {{"RequestItems", {{"Music", {{"Keys", {key("a", 1), key("a", 2)}}}}}}}, true},
      {"TransactGetItems", {{"TransactItems", {{{"Get", named({{"Key", key("a", 1)}})}}}}}},
      {"ListStreams", Json::object()},
      {"ListTables", Json::object()},
      {"DescribeTable", named(Json::object())},
      {"DescribeTimeToLive", named(Json::object())},
      {"ListTagsOfResource", arn},
  };
}

/// A server with two items in a table that has everything, on an engine that fails on cue.
struct Server {
  std::shared_ptr<FaultyEngine> engine = std::make_shared<FaultyEngine>(make_test_engine());
  DynamoDb db{{}, engine};

  Server() {
    db.ok("CreateTable", table);
    db.ok("UpdateTimeToLive",
          named({{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "until"}}}}));
    db.jobs().run_due();
    db.put("Music", item("a", 1));
    db.put("Music", item("a", 2));
    db.clock().advance(std::chrono::hours(2));  // what may change once an hour may change now
  }

  Reply call(const Case& one) { return db.call(one.operation, one.request); }

  /// Everything that a client can see, but for sequence numbers and the like.
  Json seen() {
    Json all;
    const Json tables = db.ok("ListTables", Json::object());
    for (const Json& name : tables["TableNames"]) {
      Json& seen = all[name.get<std::string>()];
      const Json description = db.ok("DescribeTable", {{"TableName", name}})["Table"];
      seen["description"] = description;
      seen["ttl"] = db.ok("DescribeTimeToLive", {{"TableName", name}});
      seen["tags"] = db.ok("ListTagsOfResource", {{"ResourceArn", description["TableArn"]}});
      seen["items"] = db.ok("Scan", {{"TableName", name}})["Items"];
      for (const char* indexes : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
        for (const Json& index : description.value(indexes, Json::array()))
          seen["index"][index["IndexName"].get<std::string>()] =
              db.ok("Scan", {{"TableName", name}, {"IndexName", index["IndexName"]}})["Items"];
      }
    }
    all["streams"] = db.ok("ListStreams", Json::object())["Streams"];
    return all;
  }
};

}  // namespace

TEST_CASE("whichever call of the engine fails, an operation is executed or leaves nothing") {
  constexpr int most_calls = 200;
  for (const EngineCall failing :
       {EngineCall::get, EngineCall::snapshot, EngineCall::commit, EngineCall::cursor_move}) {
    for (const Case& one : cases()) {
      Server server;
      const Json before = server.seen();
      bool all_succeeded = false;
      for (int nth = 1; !all_succeeded; ++nth) {
        INFO(one.operation << " " << one.request << ": call " << nth << " of kind "
                           << static_cast<int>(failing));
        REQUIRE(nth < most_calls);
        server.engine->plan().fail(failing, nth, ErrorKind::io);
        const Reply reply = server.call(one);
        all_succeeded = !server.engine->plan().spent();
        server.engine->plan().fail(failing, 0, ErrorKind::io);
        if (all_succeeded) {
          CHECK(reply.status == 200);
        } else if (reply.status != 200) {
          CHECK(reply.status == 500);
          CHECK(reply.error() == "InternalServerError");
          if (!one.in_parts) CHECK(server.seen() == before);
        } else {
          break;  // It succeeded all the same, and cannot be done again.
        }
      }
    }
  }
}

}  // namespace test::every_fault_test
