#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "support/dynamodb.h"
#include "support/remote_engine.h"
#include "support/tables.h"

// Over an engine on another machine, which other servers use as well, a write takes one round trip to read
// and one to commit, whatever belongs to the item. Tables are known without asking; what another server has
// altered is noticed.
namespace test::round_trips_test {
namespace {

Json item(std::string_view pk, const Json& more = Json::object()) {
  return with({{"pk", {{"S", pk}}}, {"sk", {{"S", "s"}}}, {"a", {{"S", "x"}}}, {"b", {{"S", "y"}}}}, more);
}

Json item_key(std::string_view pk) {
  return {{"pk", {{"S", pk}}}, {"sk", {{"S", "s"}}}};
}

/// A table with all that can belong to an item: indexes of both kinds, of which the local one counts
/// partitions, a stream, an end of life, and former values.
struct RemoteTable {
  std::shared_ptr<RemoteEngine> engine = std::make_shared<RemoteEngine>(dinette::kv::make_memory_engine());
  DynamoDb db{{}, engine};

  RemoteTable() {
    const Json local = index_on("local", Json::array({key("pk", "HASH"), key("a", "RANGE")}));
    const Json global = index_on("global", Json::array({key("b", "HASH")}));
    db.ok("CreateTable",
          with(with_range(), {{"LocalSecondaryIndexes", Json::array({local})},
                              {"GlobalSecondaryIndexes", Json::array({global})},
                              {"StreamSpecification",
                               {{"StreamEnabled", true}, {"StreamViewType", "NEW_AND_OLD_IMAGES"}}}}));
    db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                               {"TimeToLiveSpecification", {{"AttributeName", "end"}, {"Enabled", true}}}});
    db.ok("UpdateContinuousBackups",
          {{"TableName", "Music"},
           {"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}});
    db.put("Music", item("stored", {{"end", {{"N", "4000000000"}}}}));
  }

  int trips_of(std::string_view operation, const Json& request) {
    const int before = engine->trips();
    INFO(operation);
    db.ok(operation, request);
    return engine->trips() - before;
  }
};

Json put_of(std::string_view pk) {
  return {{"Put", {{"TableName", "Music"}, {"Item", item(pk)}}}};
}

}  // namespace

TEST_CASE_METHOD(RemoteTable, "round trips: a write of an item takes two") {
  const Json more = {{"end", {{"N", "4000000000"}}}, {"b", {{"S", "z"}}}};
  CHECK(trips_of("PutItem", {{"TableName", "Music"}, {"Item", item("new", more)}}) == 2);
  CHECK(trips_of("PutItem", {{"TableName", "Music"}, {"Item", item("stored", {{"b", {{"S", "z"}}}})}}) == 2);
  CHECK(trips_of("UpdateItem", {{"TableName", "Music"},
                                {"Key", item_key("stored")},
                                {"UpdateExpression", "SET a = :a REMOVE b"},
                                {"ConditionExpression", "attribute_exists(pk)"},
                                {"ExpressionAttributeValues", {{":a", {{"S", "other"}}}}},
                                {"ReturnValues", "ALL_NEW"}}) == 2);
  CHECK(trips_of("DeleteItem", {{"TableName", "Music"}, {"Key", item_key("stored")}}) == 2);
  CHECK(trips_of("ExecuteStatement",
                 {{"Statement", R"(INSERT INTO "Music" VALUE {'pk': 'statement', 'sk': 's'})"}}) == 2);
}

TEST_CASE_METHOD(RemoteTable, "round trips: so does a write of many") {
  Json puts = Json::array();
  Json actions = Json::array();
  for (int i = 0; i < 25; ++i) {
    puts.push_back({{"PutRequest", {{"Item", item("batch" + std::to_string(i))}}}});
    actions.push_back(put_of("transaction" + std::to_string(i)));
  }
  CHECK(trips_of("BatchWriteItem", {{"RequestItems", {{"Music", puts}}}}) == 2);
  CHECK(trips_of("TransactWriteItems", {{"TransactItems", actions}}) == 2);
  const Json with_token = {{"TransactItems", Json::array({put_of("token")})},
                           {"ClientRequestToken", "token"}};
  CHECK(trips_of("TransactWriteItems", with_token) == 2);
  const Json insert = {{"Statement", R"(INSERT INTO "Music" VALUE {'pk': 'in a transaction', 'sk': 's'})"}};
  CHECK(trips_of("ExecuteTransaction", {{"TransactStatements", Json::array({insert})}}) == 2);
}

TEST_CASE_METHOD(RemoteTable, "round trips: an index that is being built costs a write none") {
  db.ok("UpdateTable",
        {{"TableName", "Music"},
         {"AttributeDefinitions", Json::array({attribute("c", "S")})},
         {"GlobalSecondaryIndexUpdates",
          Json::array({{{"Create", index_on("building", Json::array({key("c", "HASH")}))}}})}});
  db.put("Music", item("before", {{"c", {{"S", "1"}}}}));  // opens the table as it is now
  CHECK(trips_of("PutItem", {{"TableName", "Music"}, {"Item", item("before", {{"c", {{"S", "2"}}}})}}) == 2);
  db.jobs().run_due();
}

TEST_CASE_METHOD(RemoteTable, "round trips: a write whose condition does not hold takes one") {
  const int before = engine->trips();
  const Reply reply = db.call("PutItem", Json{{"TableName", "Music"},
                                              {"Item", item("stored")},
                                              {"ConditionExpression", "attribute_not_exists(pk)"}});
  CHECK(reply.error() == "ConditionalCheckFailedException");
  CHECK(engine->trips() - before == 1);
}

TEST_CASE_METHOD(RemoteTable,
                 "round trips: one that is invalid takes one, to ask whether tables have changed") {
  const Json invalid = {{"TableName", "Music"}, {"Item", {{"pk", {{"N", "1"}}}}}};
  db.call("PutItem", invalid);  // this server has changed the table itself
  const int before = engine->trips();
  CHECK(db.call("PutItem", invalid).error() == "ValidationException");
  CHECK(engine->trips() - before == 1);
}

TEST_CASE_METHOD(RemoteTable, "round trips: a write sees the table as another server has made it") {
  DynamoDb other({}, engine, dinette::dynamodb::face(), 2);
  const Json number_key = {{"TableName", "Music"}, {"Item", {{"id", {{"N", "1"}}}}}};
  REQUIRE(db.call("PutItem", number_key).error() == "ValidationException");
  other.ok("DeleteTable", {{"TableName", "Music"}});
  SECTION("as gone") {
    CHECK(db.call("PutItem", Json{{"TableName", "Music"}, {"Item", item("a")}}).error() ==
          "ResourceNotFoundException");
  }
  SECTION("as another one, by whose keys it is judged") {
    other.ok("CreateTable", {{"TableName", "Music"},
                             {"BillingMode", "PAY_PER_REQUEST"},
                             {"KeySchema", Json::array({key("id", "HASH")})},
                             {"AttributeDefinitions", Json::array({attribute("id", "N")})}});
    db.ok("PutItem", number_key);
    CHECK(other.get("Music", {{"id", {{"N", "1"}}}}) == number_key["Item"]);
  }
}

}  // namespace test::round_trips_test
