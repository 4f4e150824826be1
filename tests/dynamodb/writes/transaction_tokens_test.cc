#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "dynamodb/writes/transactions.h"

// docs/service/transactions.md section 6; capacity.md section 3 "Transactions".
namespace test::transaction_tokens_test {
namespace {

using namespace std::chrono_literals;

/// A counter `x` in item a of Tab, 0 at first.
struct Counter {
  DynamoDb db;
  Counter() {
    db.create_table("Tab");
    db.create_table("Other");
    db.put("Tab", Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "0"}})"));
  }
  std::string value() { return db.get("Tab", key_of("a"))["x"]["N"]; }
  Reply write(const Json& request) { return db.call("TransactWriteItems", request); }
  Reply write(const std::string& request) { return db.call("TransactWriteItems", request); }
};

/// Adds one to the counter.
Json add_one(std::string_view token, std::string_view one = "1") {
  Json request = transaction(
      {R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD x :one",
             "ExpressionAttributeValues": {":one": {"N": "1"}}}})"});
  request["TransactItems"][0]["Update"]["ExpressionAttributeValues"][":one"]["N"] = one;
  request["ClientRequestToken"] = token;
  return request;
}

/// An ExecuteTransaction; each statement is PartiQL text.
Json statements(std::string_view token, const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back({{"Statement", text}});
  return {{"TransactStatements", list}, {"ClientRequestToken", token}};
}

const std::string add_one_by_statement = "UPDATE Tab SET x = x + 1 WHERE pk = 'a'";

constexpr std::string_view mismatch =
    "Specified idempotent token was used with different request parameters within the idempotency window";

void check_mismatch(const Reply& reply) {
  CHECK(reply.status == 400);
  CHECK(reply.error() == "IdempotentParameterMismatchException");
  CHECK(reply.json()["Message"] == mismatch);
}

}  // namespace

TEST_CASE(
    "the same request with the same token is carried out once, without a token or with another one again") {
  Counter counter;
  CHECK(counter.write(add_one("t")).body == "{}");
  CHECK(counter.write(add_one("t")).body == "{}");
  CHECK(counter.value() == "1");
  CHECK(counter.write(add_one("u")).status == 200);
  CHECK(counter.value() == "2");
  Json without = add_one("");
  without.erase("ClientRequestToken");
  CHECK(counter.write(without).status == 200);
  CHECK(counter.write(without).status == 200);
  CHECK(counter.value() == "4");
}

TEST_CASE("requests are the same by value") {
  Counter counter;
  counter.write(std::string(
      R"({"ClientRequestToken": "t", "TransactItems": [{"Put": {"TableName": "Tab",
            "Item": {"pk": {"S": "p"}, "m": {"M": {"a": {"N": "1"}, "b": {"N": "2"}}}}}}]})"));
  for (const std::string number : {"1.0", "1e0", "01", "+1"}) {
    CHECK(
        counter
            .write(
                R"({"TransactItems": [{"Put": {"ReturnValuesOnConditionCheckFailure": "NONE",
                      "Item": {"m": {"M": {"b": {"N": "2"}, "a": {"N": ")" +
                number +
                R"("}}}, "pk": {"S": "p"}}, "TableName": "Tab"}}], "ReturnItemCollectionMetrics": "NONE", "ReturnConsumedCapacity": "NONE", "ClientRequestToken": "t"})")
            .status == 200);
  }
}

TEST_CASE("another request with a used token is refused, and the first one still replays") {
  std::vector<Json> others(8, add_one("t"));
  others[0] = add_one("t", "2");
  others[1]["TransactItems"][0]["Update"]["TableName"] = "Other";
  others[2]["ReturnConsumedCapacity"] = "TOTAL";
  others[3]["ReturnItemCollectionMetrics"] = "SIZE";
  others[4]["TransactItems"].push_back(
      Json::parse(R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "z"}}}})"));
  others[5]["TransactItems"][0]["Update"]["UpdateExpression"] = "ADD  x :one";
  others[6]["TransactItems"][0]["Update"]["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD";
  others[7]["TransactItems"][0]["Update"]["ConditionExpression"] = "attribute_exists(pk)";
  Counter counter;
  counter.write(add_one("t"));
  for (const Json& other : others) {
    check_mismatch(counter.write(other));
    CHECK(counter.write(add_one("t")).status == 200);
    CHECK(counter.value() == "1");
  }
}

TEST_CASE("another ReturnConsumedCapacity makes another request, none is NONE") {
  for (const bool by_statement : {false, true}) {
    const char* const operation = by_statement ? "ExecuteTransaction" : "TransactWriteItems";
    Counter counter;
    const auto answer = [&](std::string_view token, const char* wanted) {
      Json request = by_statement ? statements(token, {add_one_by_statement}) : add_one(token);
      if (wanted) request["ReturnConsumedCapacity"] = wanted;
      return counter.db.call(operation, request);
    };
    CHECK(answer("t", "INDEXES").status == 200);
    for (const char* other : {"TOTAL", "NONE", static_cast<const char*>(nullptr)})
      check_mismatch(answer("t", other));
    CHECK(answer("t", "INDEXES").status == 200);
    CHECK(answer("u", nullptr).status == 200);
    check_mismatch(answer("u", "INDEXES"));
    CHECK(answer("u", "NONE").status == 200);
    CHECK(counter.value() == "2");
  }
}

TEST_CASE("TransactWriteItems and ExecuteTransaction share their tokens") {
  Counter counter;
  const Json by_statement = statements("t", {add_one_by_statement});
  CHECK(counter.write(add_one("t")).status == 200);
  check_mismatch(counter.db.call("ExecuteTransaction", by_statement));
  CHECK(counter.write(add_one("t")).status == 200);
  const Json other = statements("u", {add_one_by_statement});
  CHECK(counter.db.call("ExecuteTransaction", other).body == R"({"Responses":[]})");
  check_mismatch(counter.write(add_one("u")));
  CHECK(counter.db.call("ExecuteTransaction", other).body == R"({"Responses":[]})");
  CHECK(counter.value() == "2");
}

TEST_CASE("the order of statements makes another request, and so does what they return when they fail") {
  Counter counter;
  Json request = statements("t", {add_one_by_statement, "DELETE FROM Other WHERE pk = 'a'"});
  CHECK(counter.db.call("ExecuteTransaction", request).status == 200);
  Json wishing = request;
  wishing["TransactStatements"][0]["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD";
  check_mismatch(counter.db.call("ExecuteTransaction", wishing));
  wishing["TransactStatements"][0]["ReturnValuesOnConditionCheckFailure"] = "NONE";
  CHECK(counter.db.call("ExecuteTransaction", wishing).status == 200);
  std::swap(request["TransactStatements"][0], request["TransactStatements"][1]);
  check_mismatch(counter.db.call("ExecuteTransaction", request));
  CHECK(counter.value() == "1");
}

TEST_CASE("another key, kind of action or name makes another request") {
  const auto update_of = [](std::string_view pk, std::string_view name) {
    return R"({"Update": {"TableName": "Other", "Key": {"pk": {"S": ")" + std::string(pk) +
           R"("}}, "UpdateExpression": "REMOVE #n", "ExpressionAttributeNames": {"#n": ")" +
           std::string(name) + "\"}}}";
  };
  Counter counter;
  const auto answer = [&](const std::string& token, const std::string& action) {
    return counter.write(R"({"ClientRequestToken": ")" + token + R"(", "TransactItems": [)" + action + "]}");
  };
  CHECK(answer("t", update_of("a", "x")).status == 200);
  check_mismatch(answer("t", update_of("b", "x")));
  check_mismatch(answer("t", update_of("a", "y")));
  CHECK(answer("t", update_of("a", "x")).status == 200);
  const std::string rest =
      R"~("TableName": "Other", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(x)"}})~";
  CHECK(answer("u", R"({"Delete": {)" + rest).status == 200);
  check_mismatch(answer("u", R"({"ConditionCheck": {)" + rest));
}

TEST_CASE("the order of actions makes another request") {
  Counter counter;
  Json request = transaction({R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "1"}}}})",
                              R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "2"}}}})"});
  request["ClientRequestToken"] = "t";
  CHECK(counter.write(request).status == 200);
  std::swap(request["TransactItems"][0], request["TransactItems"][1]);
  check_mismatch(counter.write(request));
}

TEST_CASE(
    "a token is known for ten minutes from the end of its request, by the world's clock, and then "
    "forgotten") {
  Counter counter;
  counter.write(add_one("t"));
  counter.db.clock().advance(10min - 1ms);
  counter.db.jobs().run_due();
  CHECK(counter.write(add_one("t")).status == 200);
  CHECK(counter.value() == "1");
  counter.db.clock().advance(1ms);
  CHECK(counter.write(add_one("t", "5")).status == 200);
  CHECK(counter.value() == "6");
  counter.db.jobs().run_due();
  CHECK(counter.write(add_one("t", "5")).status == 200);
  CHECK(counter.value() == "6");
}

TEST_CASE("nothing is left of tokens whose time is over") {
  const auto keys = [](DynamoDb& db) {
    std::size_t count = 0;
    const auto cursor = (*db.engine().snapshot())->cursor({});
    for (bool more = *(*cursor)->first(); more; more = *(*cursor)->next()) ++count;
    return count;
  };
  Counter counter;
  const std::size_t before = keys(counter.db);
  for (int i = 0; i < 600; ++i) counter.write(add_one(std::to_string(i)));
  CHECK(keys(counter.db) == before + 1200);
  counter.db.clock().advance(5min);
  counter.write(add_one("late"));
  counter.db.clock().advance(5min);
  counter.db.jobs().run_due();
  CHECK(keys(counter.db) == before + 2);
  counter.db.clock().advance(5min);
  counter.db.jobs().run_due();
  CHECK(keys(counter.db) == before);
  CHECK_FALSE(counter.db.jobs().until_due().has_value());
}

TEST_CASE("requests that are refused before they start bind no token") {
  for (const char* wrong :
       {R"({"Put": {"TableName": "Unknown", "Item": {"pk": {"S": "a"}}}})",
        R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET"}})",
        R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": ""}}}})"}) {
    Counter counter;
    Json request = transaction({wrong});
    request["ClientRequestToken"] = "t";
    CHECK(counter.write(request).status == 400);
    CHECK(counter.write(add_one("t")).status == 200);
    CHECK(counter.value() == "1");
  }
}

TEST_CASE("a cancelled request binds its token, and is tried again until it succeeds") {
  Counter counter;
  Json request = add_one("t");
  request["TransactItems"].push_back(Json::parse(
      R"~({"ConditionCheck": {"TableName": "Other", "Key": {"pk": {"S": "o"}},
             "ConditionExpression": "attribute_exists(pk)"}})~"));
  const std::string failed = cancelled({"None", condition_failed_reason});
  CHECK(cancellation(counter.write(request)) == failed);
  check_mismatch(counter.write(add_one("t")));
  CHECK(cancellation(counter.write(request)) == failed);
  counter.db.put("Other", key_of("o"));
  CHECK(counter.write(request).status == 200);
  CHECK(counter.value() == "1");
  counter.db.ok("DeleteItem", {{"TableName", "Other"}, {"Key", key_of("o")}});
  CHECK(counter.write(request).status == 200);
  CHECK(counter.value() == "1");
}

TEST_CASE("a statement that does not parse binds no token, one that meets a duplicate does") {
  Counter counter;
  CHECK(counter.db.call("ExecuteTransaction", statements("t", {"UPDATE"})).status == 400);
  const Json insert = statements("t", {"INSERT INTO Tab VALUE {'pk': 'a'}"});
  const std::string duplicate = cancelled({"DuplicateItem: Duplicate primary key exists in table"});
  CHECK(cancellation(counter.db.call("ExecuteTransaction", insert)) == duplicate);
  check_mismatch(counter.db.call("ExecuteTransaction", statements("t", {add_one_by_statement})));
  CHECK(cancellation(counter.db.call("ExecuteTransaction", insert)) == duplicate);
  counter.db.ok("DeleteItem", {{"TableName", "Tab"}, {"Key", key_of("a")}});
  for (int i = 0; i < 2; ++i) CHECK(counter.db.call("ExecuteTransaction", insert).status == 200);
}

TEST_CASE("a key that does not fit cancels and binds, too, unless the token decides before") {
  Counter counter;
  Json request = transaction({R"({"Delete": {"TableName": "Tab", "Key": {}}})"});
  request["ClientRequestToken"] = "t";
  const std::string no_match =
      cancelled({"ValidationError: The provided key element does not match the schema"});
  CHECK(cancellation(counter.write(request)) == no_match);
  check_mismatch(counter.write(add_one("t")));
  CHECK(cancellation(counter.write(request)) == no_match);
  counter.write(add_one("u"));
  request["ClientRequestToken"] = "u";
  check_mismatch(counter.write(request));
}

TEST_CASE("a replay is charged as reads of what the first run met, on the table alone") {
  DynamoDb db;
  db.create_table("Tab");
  const auto item = [](std::string_view pk, std::size_t bytes) {  // with a name of one byte, and pk
    return Json{{"pk", {{"S", pk}}}, {"x", {{"S", std::string(bytes - 3 - pk.size(), 'x')}}}};
  };
  db.put("Tab", item("put", 8193));
  db.put("Tab", item("upd", 4097));
  db.put("Tab", item("del", 8193));
  db.put("Tab", item("chk", 4097));
  Json request = transaction(
      {R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "del"}}}})",
       R"~({"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "chk"}},
              "ConditionExpression": "attribute_exists(pk)"}})~",
       R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "upd"}}, "UpdateExpression": "SET x = :x",
             "ExpressionAttributeValues": {":x": {"S": "short"}}}})"});
  request["TransactItems"].push_back({{"Put", {{"TableName", "Tab"}, {"Item", item("put", 4095)}}}});
  request["ReturnConsumedCapacity"] = "INDEXES";
  request["ClientRequestToken"] = "t";
  CHECK(
      db.ok("TransactWriteItems", request)["ConsumedCapacity"] ==
      Json::parse(
          R"([{"TableName": "Tab", "CapacityUnits": 56.0, "WriteCapacityUnits": 56.0, "Table": {"CapacityUnits": 56.0, "WriteCapacityUnits": 56.0}}])"));
  for (const char* pk : {"put", "upd", "chk"})
    db.ok("DeleteItem", {{"TableName", "Tab"}, {"Key", key_of(pk)}});
  CHECK(
      db.ok("TransactWriteItems", request)["ConsumedCapacity"] ==
      Json::parse(
          R"([{"TableName": "Tab", "CapacityUnits": 20.0, "ReadCapacityUnits": 20.0, "Table": {"CapacityUnits": 20.0, "ReadCapacityUnits": 20.0}}])"));
}

TEST_CASE("racing requests with one token run once") {
  Counter counter;
  for (int round = 0; round < 50; ++round) {
    const std::string token = "round" + std::to_string(round);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { counter.write(add_one(token)); });
    threads.clear();
    REQUIRE(counter.value() == std::to_string(round + 1));
  }
}

}  // namespace test::transaction_tokens_test
