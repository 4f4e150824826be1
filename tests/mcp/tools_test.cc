// What each tool asks of the service, and makes of the answer.

#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "mcp/session.h"

namespace dinette::mcp::tools_test {
namespace {

/// Returns what a tool asks for, and then what it answers if the server says `reply`.
std::string run(const std::string& tool, const std::string& arguments, const std::string& reply = "{}") {
  test::Session session(true);
  session.backend.answer = [&](const std::string&) { return Reply{200, reply}; };
  const std::string text = session.call(tool, arguments);
  std::string all;
  for (const std::string& asked : session.backend.asked) all += asked + "\n";
  return all + text;
}

std::string token(const std::string& content) {
  return base::base64_encode(content);
}

TEST_CASE("tables are listed page by page") {
  CHECK(run("list_tables", "{}", R"({"TableNames":["a","b"],"LastEvaluatedTableName":"b"})") ==
        "ListTables {\"Limit\":100}\n{\"next_page\":\"" + token(R"({"from":"b","skip":0})") +
            "\",\"tables\":[\"a\",\"b\"]}");
  CHECK(run("list_tables", R"({"page":")" + token(R"({"from":"b","skip":0})") + R"(","world":"w"})",
            R"({"TableNames":["c"]})") ==
        "w: ListTables {\"ExclusiveStartTableName\":\"b\",\"Limit\":100}\n{\"tables\":[\"c\"]}");
}

TEST_CASE("a table is described and created") {
  CHECK(run("describe_table", R"({"table":"abc"})",
            R"({"Table":{"TableName":"abc"},"TimeToLiveDescription":{"AttributeName":"until"}})") ==
        "DescribeTable {\"TableName\":\"abc\"}\nDescribeTimeToLive {\"TableName\":\"abc\"}\n"
        "{\"table\":{\"TableName\":\"abc\"},\"time_to_live_attribute\":\"until\"}");
  CHECK(run("create_table",
            R"({"table":"abc","partition_key":{"name":"p"},"sort_key":{"name":"s","type":"N"}})",
            R"({"TableDescription":{"TableName":"abc"}})") ==
        "CreateTable "
        "{\"AttributeDefinitions\":[{\"AttributeName\":\"p\",\"AttributeType\":\"S\"},{\"AttributeName\":"
        "\"s\",\"AttributeType\":\"N\"}],\"BillingMode\":\"PAY_PER_REQUEST\",\"KeySchema\":[{"
        "\"AttributeName\":\"p\","
        "\"KeyType\":\"HASH\"},{\"AttributeName\":\"s\",\"KeyType\":\"RANGE\"}],\"TableName\":\"abc\"}\n"
        "{\"created\":\"abc\"}");
}

TEST_CASE("an item is got by its key") {
  CHECK(run("get_item", R"({"table":"abc","key":{"p":"a","s":1},"attributes":["size"]})",
            R"({"Item":{"size":{"N":"3"}}})") ==
        "GetItem "
        "{\"ConsistentRead\":true,\"ExpressionAttributeNames\":{\"#shown0\":\"size\"},\"Key\":{\"p\":{\"S\":"
        "\"a\"},\"s\":{\"N\":\"1\"}},\"ProjectionExpression\":\"#shown0\",\"TableName\":\"abc\"}\n{\"item\":{"
        "\"size\":3}}");
  CHECK(run("get_item", R"({"table":"abc","key":{"p":"a"}})").ends_with("\n{\"item\":null}"));
}

TEST_CASE("a query hands on its expressions, and says where the next page begins") {
  const std::string arguments =
      R"("table":"abc","key_condition":"#p = :p","values":{":p":"a"},"names":{"#p":"p"},"filter":"x > :p","index":"i",)"
      R"("descending":true,"limit":1,"attributes":["p"])";
  CHECK(
      run("query", "{" + arguments + "}",
          R"({"Items":[{"p":{"S":"a"}}],"LastEvaluatedKey":{"p":{"S":"a"}},"ScannedCount":3,)"
          R"("ConsumedCapacity":{"TableName":"abc","CapacityUnits":0.5}})") ==
      R"(Query {"ExpressionAttributeNames":{"#p":"p","#shown1":"p"},"ExpressionAttributeValues":{":p":{"S":"a"}},)"
      R"("FilterExpression":"x > :p","IndexName":"i","KeyConditionExpression":"#p = :p","Limit":1,)"
      R"("ProjectionExpression":"#shown1","ReturnConsumedCapacity":"TOTAL","ScanIndexForward":false,"TableName":"abc"})"
      "\n{\"capacity_units\":0.5,\"count\":1,\"items\":[{\"p\":\"a\"}],\"looked_at\":3,\"next_page\":\"" +
          token(R"({"from":{"p":{"S":"a"}},"skip":0})") + "\"}");
  const std::string next =
      run("query", "{" + arguments + R"(,"page":")" + token(R"({"from":{"p":{"S":"a"}},"skip":0})") + "\"}");
  CHECK(next.find(R"("ExclusiveStartKey":{"p":{"S":"a"}})") != std::string::npos);
  CHECK(next.ends_with("\n{\"count\":0,\"items\":[]}"));
}

TEST_CASE("a scan reads 25 items by default") {
  CHECK(run("scan", R"({"table":"abc"})") ==
        "Scan "
        "{\"Limit\":25,\"ReturnConsumedCapacity\":\"TOTAL\",\"TableName\":\"abc\"}\n{\"count\":0,\"items\":[]"
        "}");
  CHECK(run("scan", R"({"table":"abc","page":"?"})") ==
        "error: 'page' is not the next_page of a result of this tool");
}

TEST_CASE("statements write only where that is allowed") {
  CHECK(run("execute_statement",
            R"({"statement":"SELECT * FROM abc WHERE p = ?","parameters":[1],"limit":1})",
            R"({"Items":[{"p":{"N":"1"}}],"NextToken":"t"})") ==
        "explained ExecuteStatement "
        "{\"Limit\":1,\"Parameters\":[{\"N\":\"1\"}],\"ReturnConsumedCapacity\":\"TOTAL\",\"Statement\":"
        "\"SELECT * "
        "FROM abc WHERE p = "
        "?\"}\n{\"count\":1,\"items\":[{\"p\":1}],\"next_page\":\"" +
            token(R"({"from":"t","skip":0})") + "\"}");
  CHECK(run("execute_statement", R"({"statement":"DELETE FROM abc WHERE p = 1"})") ==
        "explained ExecuteStatement {\"ReturnConsumedCapacity\":\"TOTAL\",\"Statement\":\"DELETE FROM abc "
        "WHERE p = "
        "1\"}\n{\"count\":0,\"items\":[]}");
  test::Session reading;
  for (const std::string statement :
       {"DELETE FROM abc WHERE p = 1", "INSERT INTO abc VALUE {'p': 1}", "-- SELECT\\nDELETE FROM abc",
        "selection", "", "(SELECT * FROM abc)", "EXISTS(SELECT * FROM abc)"}) {
    INFO(statement);
    CHECK(reading.call("execute_statement", R"({"statement":")" + statement + "\"}") ==
          "error: only SELECT is allowed: dinette mcp was started without --allow-writes");
  }
  CHECK(reading.backend.asked.empty());
  CHECK(reading.call("execute_statement", R"({"statement":"  \n select * from abc"})") ==
        R"({"count":0,"items":[]})");
}

TEST_CASE("items are written, and what was or is there is shown") {
  CHECK(
      run("put_item",
          R"({"table":"abc","item":{"p":"a"},"condition":"#p <> :x","names":{"#p":"p"},"values":{":x":1}})",
          R"({"Attributes":{"p":{"S":"a"}}})") ==
      R"(PutItem {"ConditionExpression":"#p <> :x","ExpressionAttributeNames":{"#p":"p"},)"
      R"("ExpressionAttributeValues":{":x":{"N":"1"}},"Item":{"p":{"S":"a"}},"ReturnValues":"ALL_OLD","TableName":"abc"})"
      "\n{\"replaced\":{\"p\":\"a\"}}");
  CHECK(run("update_item", R"({"table":"abc","key":{"p":"a"},"update":"SET x = :x","values":{":x":[1]}})") ==
        R"(UpdateItem {"ExpressionAttributeValues":{":x":{"L":[{"N":"1"}]}},"Key":{"p":{"S":"a"}},)"
        R"("ReturnValues":"ALL_NEW","TableName":"abc","UpdateExpression":"SET x = :x"})"
        "\n{\"item\":null}");
  CHECK(run("delete_item", R"({"table":"abc","key":{"p":"a"}})") ==
        R"(DeleteItem {"Key":{"p":{"S":"a"}},"ReturnValues":"ALL_OLD","TableName":"abc"})"
        "\n{\"deleted\":null}");
}

TEST_CASE("clocks, worlds and snapshots are routes of the administration") {
  CHECK(run("show_clock", "{}") == "GET /_dinette/clock\n{}");
  CHECK(run("show_clock", R"({"world":"w"})") == "GET /_dinette/clock?world=w\n{}");
  CHECK(run("set_clock", R"({"world":"w","advance":"PT1H","frozen":null})") ==
        "PUT /_dinette/clock {\"advance\":\"PT1H\",\"world\":\"w\"}\n{}");
  CHECK(run("list_worlds", "{}", R"({"worlds":[1]})") == "GET /_dinette/worlds\n{\"worlds\":[1]}");
  CHECK(run("fork_world", R"({"name":"w","from":"snapshot-1"})") ==
        "POST /_dinette/worlds {\"from\":\"snapshot-1\",\"name\":\"w\"}\n{}");
  CHECK(run("drop_world", R"({"name":"w"})") == "DELETE /_dinette/worlds/w\n{}");
  CHECK(run("reset_world", R"({"world":"w"})") == "POST /_dinette/reset {\"world\":\"w\"}\n{}");
  CHECK(
      run("reset_world", "{}") ==
      "error: Invalid arguments: the argument 'world' is missing, a string: Name of the world; 'default' for "
      "the one that programs use unless they choose another.");
  CHECK(run("list_snapshots", "{}", R"({"snapshots":[]})") == "GET /_dinette/snapshots\n{\"snapshots\":[]}");
  CHECK(run("take_snapshot", R"({"world":"w"})") == "POST /_dinette/snapshots {\"world\":\"w\"}\n{}");
  CHECK(run("restore_snapshot", R"({"id":"snapshot-1","world":"w"})") ==
        "POST /_dinette/snapshots/snapshot-1/restore {\"world\":\"w\"}\n{}");
  CHECK(run("drop_world", R"({"name":"../reset"})")
            .starts_with("error: Invalid arguments: the argument 'name' is not a valid name"));
}

TEST_CASE("a table without a time to live has none in its description") {
  CHECK(run("describe_table", R"({"table":"abc"})", R"({"Table":{"TableName":"abc"}})")
            .ends_with("\n{\"table\":{\"TableName\":\"abc\"}}"));
}

TEST_CASE("a page of items has 1 to 1000 of them") {
  for (const std::string tool : {"query", "scan", "execute_statement"}) {
    const auto asked = [&](const std::string& limit) {
      return run(tool,
                 tool == "scan" ? R"({"table":"abc","limit":)" + limit + "}"
                 : tool == "query"
                     ? R"({"table":"abc","key_condition":"p = :p","values":{":p":1},"limit":)" + limit + "}"
                     : R"({"statement":"SELECT * FROM abc","limit":)" + limit + "}");
    };
    INFO(tool);
    const std::string refusal = "error: Invalid arguments: the argument 'limit' must be from 1 to 1000: ";
    CHECK_THAT(asked("0"), Catch::StartsWith(refusal));
    CHECK_THAT(asked("1001"), Catch::StartsWith(refusal));
    CHECK_THAT(asked("1000"), Catch::Contains("\"Limit\":1000"));
  }
}

TEST_CASE("no attributes to show are all of them, and parameters are not sent where there are none") {
  CHECK(run("get_item", R"({"table":"abc","key":{"p":"a"},"attributes":[]})")
            .starts_with(R"(GetItem {"ConsistentRead":true,"Key":{"p":{"S":"a"}},"TableName":"abc"})"));
  CHECK(
      run("execute_statement", R"({"statement":"SELECT * FROM abc","parameters":[]})")
          .starts_with(
              R"(explained ExecuteStatement {"Limit":25,"ReturnConsumedCapacity":"TOTAL","Statement":"SELECT * FROM abc"})"));
  CHECK(run("query", R"({"table":"abc","key_condition":"p = :p","values":{":p":1},"descending":false})")
            .find("ScanIndexForward") == std::string::npos);
}

TEST_CASE("a long list of worlds is cut, and continued where it was cut") {
  Json worlds = Json::array();
  for (int i = 0; i < 10; ++i) worlds.push_back(std::to_string(i) + std::string(9'000, 'x'));
  const std::string reply = Json{{"worlds", worlds}}.dump();
  test::Session session;
  session.backend.answer = [&](const std::string&) { return Reply{200, reply}; };
  std::string seen;
  std::string arguments = "{}";
  for (int pages = 0; pages < 3; ++pages) {
    const Json page = Json::parse(session.call("list_worlds", arguments));
    for (const Json& world : page["worlds"]) seen += world.get<std::string>()[0];
    CHECK(page.contains("next_page") == (pages < 2));
    if (page.contains("next_page")) arguments = Json{{"page", page["next_page"]}}.dump();
  }
  CHECK(seen == "0123456789");
}

}  // namespace
}  // namespace dinette::mcp::tools_test
