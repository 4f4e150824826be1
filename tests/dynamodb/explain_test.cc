#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/explain.md.
namespace test::explain_test {
namespace {

const Headers asks = {{"X-Dinette-Explain", "true"}};

/// The explanation of a request that succeeds.
std::string explained(DynamoDb& db, std::string_view operation, const std::string& body) {
  const Reply reply = db.call(operation, body, asks);
  INFO(operation << " " << body << " -> " << reply.body);
  CHECK(reply.status == 200);
  return reply.header("X-Dinette-Explain");
}

std::string step(std::string_view operation, std::string_view key_condition, int looked_at, int returned,
                 std::string_view units, std::string_view index = "", std::string_view table = "Music") {
  std::string text = R"({"Operation":")" + std::string(operation) + R"(","TableName":")" + std::string(table);
  if (!index.empty()) text += R"(","IndexName":")" + std::string(index);
  if (!key_condition.empty()) text += R"(","KeyCondition":")" + std::string(key_condition);
  return text + R"(","ScannedCount":)" + std::to_string(looked_at) + R"(,"Count":)" +
         std::to_string(returned) + R"(,"CapacityUnits":)" + std::string(units) + "}";
}

std::string run(DynamoDb& db, std::string_view text) {
  return explained(db, "ExecuteStatement", Json{{"Statement", text}}.dump());
}

/// The table Music with pk and sk (S), an index byA of a and b, and three items of pk "x".
struct Music : DynamoDb {
  Music() {
    Json table = with_range();
    table["GlobalSecondaryIndexes"] =
        Json::array({index_on("byA", Json::array({key("a", "HASH"), key("b", "RANGE")}))});
    ok("CreateTable", table);
    for (const std::string_view sk : {"1", "2", "3"}) {
      put("Music", {{"pk", {{"S", "x"}}}, {"sk", {{"S", sk}}}, {"a", {{"S", "A"}}}, {"b", {{"S", sk}}}});
    }
  }
};

std::string music_key(std::string_view pk, std::string_view sk) {
  return Json{{"pk", {{"S", pk}}}, {"sk", {{"S", sk}}}}.dump();
}

}  // namespace

TEST_CASE("a request that does not ask is not explained, and neither are writes") {
  Music db;
  const std::string get = R"({"TableName": "Music", "Key": )" + music_key("x", "1") + "}";
  CHECK(db.call("GetItem", get).headers.find("Dinette") == std::string::npos);
  CHECK(db.call("GetItem", get, {{"X-Dinette-Explain", "false"}}).header("X-Dinette-Explain").empty());
  CHECK(explained(db, "PutItem", R"({"TableName": "Music", "Item": )" + music_key("y", "1") + "}").empty());
  CHECK(explained(db, "ListTables", "{}").empty());
}

TEST_CASE("GetItem is explained, its item there or not") {
  Music db;
  const auto get = [&](std::string_view pk, std::string_view members = "") {
    return explained(db, "GetItem",
                     R"({"TableName": "Music", "Key": )" + music_key(pk, "1") + std::string(members) + "}");
  };
  CHECK(get("x") == step("GetItem", "pk = 'x' AND sk = '1'", 1, 1, "0.5"));
  CHECK(get("x", R"(, "ConsistentRead": true)") == step("GetItem", "pk = 'x' AND sk = '1'", 1, 1, "1.0"));
  CHECK(get("it's") == step("GetItem", "pk = 'it''s' AND sk = '1'", 0, 0, "0.5"));
}

TEST_CASE("Query and Scan are explained with index, condition, and what they looked at and returned") {
  Music db;
  const auto query = [&](std::string_view condition, std::string_view values, std::string_view members = "") {
    return explained(db, "Query",
                     R"({"TableName": "Music", "KeyConditionExpression": ")" + std::string(condition) +
                         R"(", "ExpressionAttributeValues": {)" + std::string(values) + "}" +
                         std::string(members) + "}");
  };
  const std::string x = R"(":x": {"S": "x"})";
  CHECK(query("pk = :x", x) == step("Query", "pk = 'x'", 3, 3, "0.5"));
  CHECK(query("pk = :x AND sk > :1", x + R"(, ":1": {"S": "1"})") ==
        step("Query", "pk = 'x' AND sk > '1'", 2, 2, "0.5"));
  CHECK(query("sk BETWEEN :1 AND :2 AND pk = :x", x + R"(, ":1": {"S": "1"}, ":2": {"S": "2"})") ==
        step("Query", "pk = 'x' AND sk BETWEEN '1' AND '2'", 2, 2, "0.5"));
  CHECK(query("pk = :x AND begins_with(sk, :1)", x + R"(, ":1": {"S": "1"})") ==
        step("Query", "pk = 'x' AND begins_with(sk, '1')", 1, 1, "0.5"));
  CHECK(query("pk = :x", x + R"(, ":b": {"S": "2"})", R"(, "FilterExpression": "b = :b")") ==
        step("Query", "pk = 'x'", 3, 1, "0.5"));
  CHECK(query("pk = :x", x, R"(, "Limit": 2, "Select": "COUNT")") == step("Query", "pk = 'x'", 2, 2, "0.5"));
  CHECK(query("a = :x", R"(":x": {"S": "A"})", R"(, "IndexName": "byA")") ==
        step("Query", "a = 'A'", 3, 3, "0.5", "byA"));
  CHECK(explained(db, "Scan", R"({"TableName": "Music"})") == step("Scan", "", 3, 3, "0.5"));
  CHECK(explained(db, "Scan", R"({"TableName": "Music", "IndexName": "byA", "Limit": 1})") ==
        step("Scan", "", 1, 1, "0.5", "byA"));
}

TEST_CASE("the legacy form of a key condition is explained likewise") {
  Music db;
  CHECK(explained(db, "Query",
                  R"({"TableName": "Music", "KeyConditions": {"pk": {"ComparisonOperator": "EQ",)"
                  R"( "AttributeValueList": [{"S": "x"}]}}})") == step("Query", "pk = 'x'", 3, 3, "0.5"));
}

TEST_CASE("numbers and binaries are written as such") {
  DynamoDb db;
  db.create_table("Num", "N", "B");
  CHECK(explained(db, "GetItem",
                  R"({"TableName": "Num", "Key": {"pk": {"N": "1.50"}, "sk": {"B": "AQI="}}})") ==
        step("GetItem", "pk = 1.5 AND sk = 'AQI='", 0, 0, "0.5", "", "Num"));
}

TEST_CASE(
    "batches and transactions of reads have a list, of one element per item in the order of the request") {
  Music db;
  const Json keys = {Json::parse(music_key("x", "3")), Json::parse(music_key("y", "1"))};
  CHECK(explained(db, "BatchGetItem", Json{{"RequestItems", {{"Music", {{"Keys", keys}}}}}}.dump()) ==
        "[" + step("GetItem", "pk = 'x' AND sk = '3'", 1, 1, "0.5") + "," +
            step("GetItem", "pk = 'y' AND sk = '1'", 0, 0, "0.5") + "]");
  Json gets = Json::array();
  for (const Json& one : keys) gets.push_back({{"Get", {{"TableName", "Music"}, {"Key", one}}}});
  CHECK(explained(db, "TransactGetItems", Json{{"TransactItems", gets}}.dump()) ==
        "[" + step("GetItem", "pk = 'x' AND sk = '3'", 1, 1, "2.0") + "," +
            step("GetItem", "pk = 'y' AND sk = '1'", 0, 0, "2.0") + "]");
}

TEST_CASE("a statement is explained by the operation that it is planned as") {
  Music db;
  CHECK(run(db, "SELECT * FROM Music WHERE pk = 'x' AND sk = '1'") ==
        step("GetItem", "pk = 'x' AND sk = '1'", 1, 1, "0.5"));
  CHECK(run(db, "SELECT * FROM Music WHERE pk = 'x' AND sk IN ['1', '2', '9']") ==
        step("GetItem", "pk = 'x' AND sk IN ['1', '2', '9']", 2, 2, "1.5"));
  CHECK(run(db, "SELECT * FROM Music WHERE '1' < sk AND pk = 'x' AND b = '2'") ==
        step("Query", "pk = 'x' AND sk > '1'", 2, 1, "0.5"));
  CHECK(run(db, "SELECT * FROM Music WHERE pk = 'x' AND sk = '1' OR pk = 'y'") ==
        step("Query", "pk = 'x' AND sk = '1' OR pk = 'y'", 1, 1, "1.0"));
  CHECK(run(db, R"(SELECT * FROM "Music"."byA" WHERE a = 'A')") ==
        step("Query", "a = 'A'", 3, 3, "0.5", "byA"));
  CHECK(run(db, "SELECT * FROM Music WHERE b = '2'") == step("Scan", "", 3, 1, "0.5"));
  CHECK(run(db, "SELECT * FROM Music") == step("Scan", "", 3, 3, "0.5"));
  // Two different conditions on a key attribute are no key read: the surprise that this is for.
  CHECK(run(db, "SELECT * FROM Music WHERE pk = 'x' AND sk > '1' AND sk < '3'") ==
        step("Scan", "", 3, 1, "0.5"));
}

TEST_CASE("a statement that writes is explained by its operation") {
  Music db;
  const std::string_view new_key = "pk = 'n' AND sk = '1'";
  CHECK(run(db, "INSERT INTO Music VALUE {'pk': 'n', 'sk': '1'}") == step("PutItem", new_key, 0, 0, "1.0"));
  CHECK(run(db, "UPDATE Music SET c = 1 WHERE pk = 'n' AND sk = '1' RETURNING ALL NEW *") ==
        step("UpdateItem", new_key, 1, 1, "1.0"));
  CHECK(run(db, "UPDATE Music SET a = 'A', b = 'b' WHERE pk = 'n' AND sk = '1'") ==
        step("UpdateItem", new_key, 1, 0, "2.0"));
  CHECK(run(db, "DELETE FROM Music WHERE pk = 'n' AND sk = '1'") == step("DeleteItem", new_key, 1, 0, "2.0"));
}

TEST_CASE("a batch of statements has null instead of one that failed") {
  Music db;
  const Json statements = {Json{{"Statement", "SELECT * FROM Music WHERE pk = 'x' AND sk = '1'"}},
                           Json{{"Statement", "SELECT * FROM"}},
                           Json{{"Statement", "SELECT * FROM Music WHERE pk = 'y' AND sk = '1'"}}};
  CHECK(explained(db, "BatchExecuteStatement", Json{{"Statements", statements}}.dump()) ==
        "[" + step("GetItem", "pk = 'x' AND sk = '1'", 1, 1, "0.5") + ",null," +
            step("GetItem", "pk = 'y' AND sk = '1'", 0, 0, "0.5") + "]");
  const Json writes = {Json{{"Statement", "INSERT INTO Music VALUE {'pk': 'x', 'sk': '1'}"}},
                       Json{{"Statement", "DELETE FROM Music WHERE pk = 'y' AND sk = '1'"}}};
  CHECK(explained(db, "BatchExecuteStatement", Json{{"Statements", writes}}.dump()) ==
        "[null," + step("DeleteItem", "pk = 'y' AND sk = '1'", 0, 0, "1.0") + "]");
}

TEST_CASE("a transaction of statements is explained, and its replay, which looks at no item") {
  Music db;
  const Json reads = {Json{{"Statement", "SELECT * FROM Music WHERE pk = 'x' AND sk = '1'"}},
                      Json{{"Statement", "SELECT * FROM Music WHERE pk = 'y' AND sk IN ['1']"}}};
  CHECK(explained(db, "ExecuteTransaction", Json{{"TransactStatements", reads}}.dump()) ==
        "[" + step("GetItem", "pk = 'x' AND sk = '1'", 1, 1, "2.0") + "," +
            step("GetItem", "pk = 'y' AND sk = '1'", 0, 0, "2.0") + "]");
  const Json writes = {
      Json{{"Statement", "EXISTS(SELECT * FROM Music WHERE pk = 'x' AND sk = '1' AND a = 'A')"}},
      Json{{"Statement", "INSERT INTO Music VALUE {'pk': 'y', 'sk': '1'}"}}};
  const std::string request = Json{{"TransactStatements", writes}, {"ClientRequestToken", "t"}}.dump();
  CHECK(explained(db, "ExecuteTransaction", request) ==
        "[" + step("ConditionCheck", "pk = 'x' AND sk = '1'", 1, 0, "2.0") + "," +
            step("PutItem", "pk = 'y' AND sk = '1'", 0, 0, "2.0") + "]");
  CHECK(explained(db, "ExecuteTransaction", request) ==
        "[" + step("ConditionCheck", "pk = 'x' AND sk = '1'", 0, 0, "2.0") + "," +
            step("PutItem", "pk = 'y' AND sk = '1'", 0, 0, "2.0") + "]");
}

TEST_CASE("a request that fails is not explained") {
  Music db;
  const Reply reply = db.call(
      "ExecuteStatement", Json{{"Statement", "UPDATE Music SET c = 1 WHERE pk = 'n' AND sk = '1'"}}, asks);
  CHECK(reply.error() == "ConditionalCheckFailedException");
  CHECK(reply.header("X-Dinette-Explain").empty());
}

TEST_CASE("the header is ASCII") {
  Music db;
  const std::string text = explained(
      db, "GetItem",
      R"({"TableName": "Music", "Key": )" + music_key("\u00e9\u20ac\U0001F600\x7F\n\"\\", "1") + "}");
  CHECK(text == step("GetItem", R"(pk = '\u00e9\u20ac\ud83d\ude00\u007f\n\"\\' AND sk = '1')", 0, 0, "0.5"));
  CHECK(Json::parse(text)["KeyCondition"] == "pk = '\u00e9\u20ac\U0001F600\x7F\n\"\\' AND sk = '1'");
}

TEST_CASE(
    "the header has 8,192 bytes at most: long conditions are cut, long lists end with what they leave out") {
  Music db;
  Json keys = Json::array();
  for (int i = 0; i < 100; ++i) keys.push_back(Json::parse(music_key("x" + std::to_string(i), "1")));
  const std::string list =
      explained(db, "BatchGetItem", Json{{"RequestItems", {{"Music", {{"Keys", keys}}}}}}.dump());
  CHECK(list.size() <= 8192);
  CHECK(list.size() > 8000);
  const Json parsed = Json::parse(list);
  CHECK(parsed.back() == Json{{"LeftOut", 101 - parsed.size()}});
  CHECK(parsed[parsed.size() - 2]["KeyCondition"] ==
        "pk = 'x" + std::to_string(parsed.size() - 2) + "' AND sk = '1'");

  // The longest condition of all, whose characters each take six.
  const std::string longest(2048, '\x01');
  const std::string one = explained(db, "GetItem",
                                    Json{{"TableName", "arn:aws:dynamodb:us-east-1:000000000000:table/Music"},
                                         {"Key", Json::parse(music_key(longest, "1"))}}
                                        .dump());
  CHECK(one.size() <= 8192);
  CHECK(Json::parse(one)["KeyCondition"] == "pk = '" + std::string(1018, '\x01') + "...");

  std::string wide = "ab";
  for (int i = 0; i < 600; ++i) wide += "\u20ac";
  const Json cut =
      Json::parse(explained(db, "GetItem", R"({"TableName": "Music", "Key": )" + music_key(wide, "1") + "}"));
  CHECK(cut["KeyCondition"] == "pk = '" + wide.substr(0, 2 + 338 * 3) + "...");
}

TEST_CASE("a request to explain runs where it may wait, from beginning to end", "[own engine]") {
  Music db;
  const std::string get = R"({"TableName": "Music", "Key": )" + music_key("x", "1") + "}";
  CHECK(db.call_on_loop("GetItem", get));
  CHECK_FALSE(db.call_on_loop("GetItem", get, asks));
}

TEST_CASE("web pages may read the header if they ask for it") {
  Music db;
  const std::string get = R"({"TableName": "Music", "Key": )" + music_key("x", "1") + "}";
  const std::string exposes = "Access-Control-Expose-Headers: X-Dinette-Explain\r\n";
  const Headers from_page = {{"Origin", "http://localhost:3000"}, {"X-Dinette-Explain", "true"}};
  const Reply reply = db.call("GetItem", get, from_page);
  CHECK_FALSE(reply.header("X-Dinette-Explain").empty());
  CHECK(reply.headers.find(exposes) != std::string::npos);
  CHECK(db.call("GetItem", get, {from_page[0]}).headers.find(exposes) == std::string::npos);
  CHECK(db.call("GetItem", get, asks).headers.find("Access-Control") == std::string::npos);
}

}  // namespace test::explain_test
