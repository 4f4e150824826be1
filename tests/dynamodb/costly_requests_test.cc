#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/one_item.h"
#include "support/tables.h"

// Short requests that could ask for much. What they cost is bounded by the work that a request may ask for
// (request_work): a page ends early, the rest of a batch stays unprocessed. How work is counted has its tests
// where it is counted: expr/condition_test.cc, expr/legacy_conditions_test.cc, codec/record_test.cc,
// model/value_relations_test.cc.
namespace test::costly_requests_test {
namespace {

/// `count` of `text(i)`, with `separator` between them.
template <class Text>
std::string joined(int count, std::string_view separator, Text text) {
  std::string all = text(0);
  for (int i = 1; i < count; ++i) all.append(separator).append(text(i));
  return all;
}

std::string repeated(int count, std::string_view separator, std::string_view text) {
  return joined(count, separator, [&](int) { return std::string(text); });
}

/// Items "0", "1", ..., each with these attributes, 25 a request.
void fill(DynamoDb& db, int items, std::string_view attributes = "") {
  db.create_table(test::the_table);
  constexpr int batch = 25;
  for (int first = 0; first < items; first += batch) {
    const std::string puts = joined(std::min(batch, items - first), ",", [&](int i) {
      return R"({"PutRequest":{"Item":{"pk":{"S":")" + std::to_string(first + i) + "\"}" +
             std::string(attributes) + "}}}";
    });
    REQUIRE(db.call("BatchWriteItem", R"({"RequestItems":{"Tab":[)" + puts + "]}}").status == 200);
  }
}

std::string list_of(int elements) {
  return R"({"L":[)" + repeated(elements, ",", R"({"S":""})") + "]}";
}

/// What a Scan looked at, page by page, to its end.
struct Pages {
  std::vector<int> scanned;
  int count = 0;

  int rows() const { return std::accumulate(scanned.begin(), scanned.end(), 0); }
};

Pages scan(DynamoDb& db, const std::string& filter = "") {
  Pages pages;
  const std::string members = filter.empty() ? "" : "," + filter;
  std::string start;
  do {
    const Json page = test::ok_item(db, "Scan", R"("Select":"COUNT")" + members + start);
    pages.scanned.push_back(page.at("ScannedCount"));
    pages.count += page.at("Count").get<int>();
    start = page.contains("LastEvaluatedKey")
                ? R"(,"ExclusiveStartKey":)" + page.at("LastEvaluatedKey").dump()
                : "";
  } while (!start.empty());
  return pages;
}

/// The longest IN that an expression may have: nineteen times a hundred paths to nothing.
std::string longest_in(std::string_view attribute) {
  return repeated(19, " OR ", std::string(attribute) + " IN (" + repeated(100, ",", "b") + ")");
}

}  // namespace

TEST_CASE("a page ends when its filter has had as much to do as a request may ask for") {
  DynamoDb db;
  constexpr int rows = 6'000;
  constexpr int operands = 1'900;
  fill(db, rows);
  const Pages pages = scan(db, test::expression("Filter", longest_in("pk")));
  CHECK(pages.rows() == rows);
  CHECK(pages.count == 0);
  REQUIRE(pages.scanned.size() > 1);
  for (const int scanned : pages.scanned) {
    CHECK(scanned > 0);
    CHECK(static_cast<std::size_t>(scanned) * operands <= dinette::dynamodb::model::limits::request_work);
  }
}

TEST_CASE("a page has one item at least, however much its filter finds to do there") {
  DynamoDb db;
  fill(db, 3, R"(,"l":)" + list_of(200'000));
  const std::string values = joined(120, ",", [](int i) {
    const std::string number = std::to_string(i);
    return "\":v" + number + R"(":{"S":")" + number + "\"}";
  });
  const std::string filter =
      joined(120, " OR ", [](int i) { return "contains(l,:v" + std::to_string(i) + ")"; });
  const Pages pages = scan(db, test::expression("Filter", filter, values));
  CHECK(pages.scanned == std::vector{1, 1, 1, 0});
}

TEST_CASE("what a filter says of its values alone is found out once, and no page is shorter for it") {
  DynamoDb db;
  fill(db, 2'000);
  const std::string large(900'000, 'a');
  const std::string values = R"(":a":{"S":")" + large + R"("},":b":{"S":")" + large + R"("})";
  const auto scanned = [&](std::string_view comparison, int count) {
    const Pages pages = scan(db, test::expression("Filter", repeated(40, " OR ", comparison), values));
    CHECK(pages.count == count);
    return pages.scanned;
  };
  CHECK(scanned("size(:a) < size(pk) OR :b = pk", 0) == std::vector{2'000});
  CHECK(scanned("size(:b) < size(:a) OR :a <> :b", 0) == std::vector{2'000});
  CHECK(scanned("size(:a) >= size(:b) OR :a < :b", 2'000) == std::vector{2'000});
}

TEST_CASE("legacy conditions that no item has anything for do not shorten a page") {
  DynamoDb db;
  constexpr int rows = 5'000;
  fill(db, rows);
  const std::string conditions = joined(20'000, ",", [](int i) {
    return "\"a" + std::to_string(i) + R"(":{"ComparisonOperator":"NOT_NULL"})";
  });
  const Pages many = scan(db, R"("ConditionalOperator":"OR","ScanFilter":{)" + conditions + "}");
  CHECK(many.scanned == std::vector{rows});
  CHECK(many.count == 0);
  const std::string values =
      joined(20'000, ",", [](int i) { return R"({"S":")" + std::to_string(2 * i) + "\"}"; });
  const Pages in =
      scan(db, R"("ScanFilter":{"pk":{"ComparisonOperator":"IN","AttributeValueList":[)" + values + "]}}");
  CHECK(in.scanned == std::vector{rows});
  CHECK(in.count == rows / 2);
}

TEST_CASE("an ordinary page ends at its megabyte, whatever its filter") {
  DynamoDb db;
  fill(db, 9'000,
       R"(,"a":{"S":")" + std::string(120, 'a') + R"("},"n":{"N":"12"},"m":{"M":{"x":{"N":"1"}}})");
  const Pages without = scan(db);
  REQUIRE(without.scanned.size() == 2);
  const std::string filter = repeated(
      25, " OR ", "a = :v OR n BETWEEN :one AND :one OR contains(a, :v) OR m.x > :one OR size(m) = n");
  const Pages with = scan(db, test::expression("Filter", filter, R"(":v":{"S":"b"},":one":{"N":"1"})"));
  CHECK(with.scanned == without.scanned);
  CHECK(with.count == 0);
}

TEST_CASE("BatchGetItem leaves keys unprocessed when it has read as much as a request may ask for",
          "[volume]") {
  DynamoDb db;
  constexpr int items = 6;
  fill(db, items, R"(,"l":)" + list_of(300'000));
  std::string keys = joined(items, ",", [](int i) { return R"({"pk":{"S":")" + std::to_string(i) + "\"}}"; });
  std::set<std::string> read;
  int requests = 0;
  for (; !keys.empty(); ++requests) {
    const Reply reply = db.call("BatchGetItem", R"({"RequestItems":{"Tab":{"ProjectionExpression":"pk,l[0]",)"
                                                R"("Keys":[)" +
                                                    keys + "]}}}");
    REQUIRE(reply.status == 200);
    const Json answer = reply.json();
    const Json& found = answer.at("Responses").at("Tab");
    REQUIRE_FALSE(found.empty());
    for (const Json& item : found) {
      CHECK(item.at("l") == Json::parse(R"({"L":[{"S":""}]})"));
      read.insert(item.at("pk").at("S"));
    }
    keys.clear();
    if (!answer.at("UnprocessedKeys").contains("Tab")) continue;
    keys = answer.at("UnprocessedKeys").at("Tab").at("Keys").dump();
    keys = keys.substr(1, keys.size() - 2);
  }
  CHECK(read.size() == items);
  CHECK(requests > 1);
}

TEST_CASE("a projection to what is short in large items leaves no key unprocessed") {
  DynamoDb db;
  fill(db, 100, R"(,"l":)" + list_of(2'000) + R"(,"t":{"S":")" + std::string(100'000, 'x') + "\"}");
  const std::string keys =
      joined(100, ",", [](int i) { return R"({"pk":{"S":")" + std::to_string(i) + "\"}}"; });
  const Reply reply = db.call(
      "BatchGetItem", R"({"RequestItems":{"Tab":{"ProjectionExpression":"pk","Keys":[)" + keys + "]}}}");
  REQUIRE(reply.status == 200);
  CHECK(reply.json().at("Responses").at("Tab").size() == 100);
  CHECK(reply.json().at("UnprocessedKeys").empty());
}

TEST_CASE("BatchWriteItem leaves the rest when indexes have had as much to do as a request may ask for",
          "[volume]") {
  DynamoDb db;
  constexpr int items = 6;
  const Json projection = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"l"}}};
  Json table = on_demand(test::the_table);
  table["AttributeDefinitions"].push_back(attribute("g", "S"));
  table["GlobalSecondaryIndexes"] =
      Json::array({with(index_on("byG", Json::array({key("g", "HASH")})), {{"Projection", projection}})});
  db.ok("CreateTable", table);
  const Json list = Json::parse(list_of(300'000));
  for (int i = 0; i < items; ++i)
    db.put(test::the_table, {{"pk", {{"S", std::to_string(i)}}}, {"g", {{"S", "x"}}}, {"l", list}});
  Json rest = Json::array();
  for (int i = 0; i < items; ++i)
    rest.push_back({{"DeleteRequest", {{"Key", {{"pk", {{"S", std::to_string(i)}}}}}}}});
  int requests = 0;
  for (; !rest.empty(); ++requests) {
    const Json answer = db.ok("BatchWriteItem", {{"RequestItems", {{test::the_table, rest}}}});
    const Json unprocessed = answer.at("UnprocessedItems").value(std::string(test::the_table), Json::array());
    REQUIRE(unprocessed.size() < rest.size());
    rest = unprocessed;
  }
  CHECK(requests > 1);
  CHECK(test::ok_item(db, "Scan", R"("Select":"COUNT")").at("Count") == 0);
  CHECK(test::ok_item(db, "Scan", R"("Select":"COUNT","IndexName":"byG")").at("Count") == 0);
}

TEST_CASE("a part of a hundred kilobytes is found in four hundred") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string part = std::string(100'000, 'a') + "b";
  test::store_item(db, R"("x":{"S":")" + std::string(300'000, 'a') + R"("})");
  CHECK_FALSE(
      test::condition_holds(db, test::condition("contains(x, :v)", R"(":v":{"S":")" + part + R"("})")));
  CHECK(test::condition_holds(
      db, test::condition("contains(x, :v)", R"(":v":{"S":")" + part.substr(1, 99'999) + R"("})")));
}

TEST_CASE("AttributeUpdates and AttributesToGet may name far more attributes than items have") {
  DynamoDb db;
  fill(db, 100);
  const auto update = [&](int count) {
    const std::string updates = joined(count, ",", [](int i) {
      return "\"" + std::to_string((i * 7'919) % 1'000'000) + R"(":{"Value":{"NULL":true}})";
    });
    return db.call("UpdateItem",
                   R"({"TableName":"Tab","Key":{"pk":{"S":"a"}},"AttributeUpdates":{)" + updates + "}}");
  };
  CHECK(update(100'000).refusal() == "Item size to update has exceeded the maximum allowed size");
  CHECK(update(40'000).status == 200);
  CHECK(test::stored_attributes(db).size() == 40'000);
  const std::string names = joined(50'000, ",", [](int i) { return "\"n" + std::to_string(i) + "\""; });
  const Json legacy = test::ok_item(db, "Scan", R"("AttributesToGet":[)" + names + R"(,"pk"])");
  CHECK(legacy.at("Count") == 101);
  CHECK(legacy.at("Items").at(0).size() == 1);
}

TEST_CASE("copies of what is stored are not made beyond what an item may hold") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("l":{"L":[)" + repeated(190'000, ",", R"({"NULL":true})") + "]}");
  const std::string too_large = "Item size to update has exceeded the maximum allowed size";
  const std::string copies = "SET " + joined(500, ",", [](int i) { return "n" + std::to_string(i) + "=l"; });
  test::check_refusal(db, {"UpdateItem", test::update(copies), too_large});
  std::string appended = "l";
  for (int i = 0; i < 120; ++i) appended = "list_append(if_not_exists(x," + appended + "),l)";
  test::check_refusal(db, {"UpdateItem", test::update("SET m=" + appended), too_large});
}

TEST_CASE("what is answered as a whole leaves the event loop when it has much to do", "[volume]") {
  DynamoDb db;
  constexpr int items = 10;
  fill(db, items, R"(,"l":)" + list_of(300'000) + R"(,"n":)" + list_of(1));
  const auto of_all = [](std::string_view list, auto text) {
    return "{\"" + std::string(list) + "\":[" + joined(items, ",", text) + "]}";
  };
  const auto action = [&](std::string_view kind, std::string_view members) {
    return of_all("TransactItems", [=](int i) {
      return "{\"" + std::string(kind) + R"(":{"TableName":"Tab","Key":{"pk":{"S":")" + std::to_string(i) +
             "\"}}," + std::string(members) + "}}";
    });
  };
  const auto statement = [&](std::string_view list, std::string_view front, std::string_view back) {
    return of_all(list, [=](int i) {
      return R"({"Statement":")" + std::string(front) + " WHERE pk='" + std::to_string(i) + "'" +
             std::string(back) + "\"}";
    });
  };
  const std::vector<std::array<std::string, 3>> requests = {
      {"TransactWriteItems", action("ConditionCheck", R"~("ConditionExpression":"size(l) > size(n)")~"),
       action("ConditionCheck", R"~("ConditionExpression":"size(n) > size(pk) OR size(n) = size(pk)")~")},
      {"TransactWriteItems", action("Update", R"("UpdateExpression":"SET l[0] = pk")"),
       action("Update", R"("UpdateExpression":"SET n[0] = pk")")},
      {"TransactGetItems", action("Get", R"("ProjectionExpression":"l[0]")"),
       action("Get", R"("ProjectionExpression":"n[0]")")},
      {"ExecuteTransaction", statement("TransactStatements", "SELECT l[0] FROM Tab", ""),
       statement("TransactStatements", "SELECT n[0] FROM Tab", "")},
      {"ExecuteTransaction", statement("TransactStatements", "UPDATE Tab SET x=1", " AND size(l) > size(n)"),
       statement("TransactStatements", "UPDATE Tab SET x=1", " AND size(n) > 0")},
      {"BatchExecuteStatement", statement("Statements", "SELECT l[0] FROM Tab", ""),
       statement("Statements", "SELECT n[0] FROM Tab", "")},
      {"BatchExecuteStatement", statement("Statements", "UPDATE Tab SET x=1", " AND size(l) < size(n)"),
       statement("Statements", "UPDATE Tab SET x=1", " AND size(n) < 0")},
  };
  for (const auto& [operation, costly, cheap] : requests) {
    INFO(operation << ": " << costly);
    CHECK_FALSE(db.call_on_loop(operation, costly));
    CHECK(db.call(operation, costly).status == 200);
    const auto answer = db.call_on_loop(operation, cheap);
    CHECK((answer || db.engine().capabilities().may_block));
    CHECK((!answer || answer->status == 200));
  }
}

TEST_CASE("a write that is copied into many index entries leaves the event loop") {
  DynamoDb db;
  Json table = on_demand(test::the_table);
  const Json projection = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"l"}}};
  for (int i = 0; i < 20; ++i) {
    const std::string name = "g" + std::to_string(i);
    table["AttributeDefinitions"].push_back(attribute(name, "S"));
    table["GlobalSecondaryIndexes"].push_back(
        with(index_on("by" + name, Json::array({key(name, "HASH")})), {{"Projection", projection}}));
  }
  db.ok("CreateTable", table);
  // Numbers of many digits: 400 KB as the service counts them are 18 MB of text.
  const std::string text = repeated(130'000, ",", R"({"N":"1E125"})");
  test::store_item(db, R"("l":{"L":[)" + text + "]}");
  const auto call = [&](std::string_view expression) {
    return test::about_one_item("UpdateItem", test::update(expression, R"(":v":{"S":"x"})"));
  };
  CHECK_FALSE(db.call_on_loop("UpdateItem", call("SET g0 = :v")));
  CHECK(db.call("UpdateItem", call("SET g0 = :v")).status == 200);
  test::store_item(db, R"("l":{"L":[]})");
  CHECK((db.call_on_loop("UpdateItem", call("SET g1 = :v")) || db.engine().capabilities().may_block));
}

}  // namespace test::costly_requests_test
