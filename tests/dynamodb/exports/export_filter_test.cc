#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"

// docs/service/export-import.md section 1, "FilterSpecification".
namespace test::export_filter_test {

namespace {

Json number(int n) {
  return {{"N", std::to_string(n)}};
}

/// Ten items in each of the partitions `a` and `b`, with `sk` and `n` from 0 to 9.
struct Filtered : Exporting {
  Filtered()
      : Exporting(
            with(with_range(), {{"AttributeDefinitions", {attribute("pk", "S"), attribute("sk", "S")}}})) {
    set_clock(*this, start_of_test + 4000);
    for (const char* const pk : {"a", "b"})
      for (int n = 0; n < 10; ++n) put(pk, n, std::string(100'000, 'x'));
    set_clock(*this, start_of_test + 10'000);
  }

  void put(const std::string& pk, int n, const std::string& text) {
    DynamoDb::put(
        "Music",
        {{"pk", {{"S", pk}}}, {"sk", {{"S", std::to_string(n)}}}, {"n", number(n)}, {"text", {{"S", text}}}});
  }

  Json filtered(const Json& specification) { return exported({{"FilterSpecification", specification}}); }

  /// The items that are exported, as `a3`.
  std::set<std::string> found(const Json& specification) {
    std::set<std::string> names;
    for (const std::string& line : read_export(*this, filtered(specification)).lines) {
      const Json item = Json::parse(line).at("Item");
      names.insert(item.at("pk").at("S").get<std::string>() + item.at("sk").at("S").get<std::string>());
    }
    return names;
  }

  void refused(const Json& specification, const std::string& message) {
    check_refused(*this, "ExportTableToPointInTime", export_request({{"FilterSpecification", specification}}),
                  "Invalid Request: Invalid FilterSpecification: " + message);
  }
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("filtered export: a filter, a key condition, or both") {
  Filtered db;
  const Json values = {{":n", number(8)}};
  CHECK(db.found({{"FilterExpression", "n >= :n"}, {"ExpressionAttributeValues", values}}) ==
        Names{"a8", "a9", "b8", "b9"});
  CHECK(db.found({{"FilterExpression", "sk = :s"}, {"ExpressionAttributeValues", {{":s", {{"S", "3"}}}}}}) ==
        Names{"a3", "b3"});
  CHECK(db.found({{"KeyConditionExpression", "pk = :p AND sk > :s"},
                  {"ExpressionAttributeValues", {{":p", {{"S", "b"}}}, {":s", {{"S", "7"}}}}}}) ==
        Names{"b8", "b9"});
  CHECK(db.found({{"KeyConditionExpression", "#p = :p"},
                  {"FilterExpression", "n < :n"},
                  {"ExpressionAttributeNames", {{"#p", "pk"}}},
                  {"ExpressionAttributeValues", {{":p", {{"S", "a"}}}, {":n", number(2)}}}}) ==
        Names{"a0", "a1"});
}

TEST_CASE("filtered export: a projection") {
  Filtered db;
  const Json specification = {{"ProjectionExpression", "n, #t.x"},
                              {"FilterExpression", "n = :n"},
                              {"ExpressionAttributeNames", {{"#t", "text"}}},
                              {"ExpressionAttributeValues", {{":n", number(3)}}}};
  const Json made = db.filtered(specification);
  CHECK(made.at("FilterSpecification") == specification);
  const std::string line = R"({"Item":{"n":{"N":"3"}}})";
  CHECK(read_export(db, made).lines == std::vector<std::string>{line, line});
}

TEST_CASE("filtered export: items are counted that are written, bytes that are read") {
  Filtered db;
  const Json filter =
      db.filtered({{"FilterExpression", "n = :n"}, {"ExpressionAttributeValues", {{":n", number(3)}}}});
  CHECK(filter.at("ItemCount") == 2);
  CHECK(filter.at("BilledSizeBytes") == 2'000'000);
  const Json key = db.filtered(
      {{"KeyConditionExpression", "pk = :p"}, {"ExpressionAttributeValues", {{":p", {{"S", "a"}}}}}});
  CHECK(key.at("ItemCount") == 10);
  CHECK(key.at("BilledSizeBytes") == 1'000'000);
}

TEST_CASE("filtered export: of changes, by the newest image, or the old one of a deleted item") {
  Filtered db;
  set_clock(db, start_of_test + 5000);
  db.put("a", 1, "short");
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}, {"sk", {{"S", "2"}}}}}});
  db.put("b", 3, "short");
  set_clock(db, start_of_test + 10'000);
  const auto changed = [&](const Json& specification) {
    Json request = incremental(start_of_test + 4500, start_of_test + 6000);
    request["FilterSpecification"] = specification;
    Json found = Json::array();
    for (const std::string& line : read_export(db, db.exported(request)).lines) {
      Json change = Json::parse(line);
      change.erase("Metadata");
      found.push_back(change);
    }
    return found;
  };
  const auto keys = [](const char* pk, const char* sk) {
    return Json{{"pk", {{"S", pk}}}, {"sk", {{"S", sk}}}};
  };
  CHECK(changed({{"FilterExpression", "size(#t) > :n"},
                 {"ProjectionExpression", "n"},
                 {"ExpressionAttributeNames", {{"#t", "text"}}},
                 {"ExpressionAttributeValues", {{":n", number(10)}}}}) ==
        Json{{{"Keys", keys("a", "2")}, {"OldImage", {{"n", number(2)}}}}});
  CHECK(changed({{"KeyConditionExpression", "pk = :p AND sk = :s"},
                 {"ProjectionExpression", "n"},
                 {"ExpressionAttributeValues", {{":p", {{"S", "b"}}}, {":s", {{"S", "3"}}}}}}) ==
        Json{{{"Keys", keys("b", "3")}, {"NewImage", {{"n", number(3)}}}, {"OldImage", {{"n", number(3)}}}}});
}

TEST_CASE("filtered export: what is wrong is said as Query and Scan say it") {
  Filtered db;
  db.refused(Json::object(), "The specification can not be empty");
  const auto as_in = [&](const std::string& operation, const Json& specification) {
    const std::string said = db.call(operation, with({{"TableName", "Music"}}, specification)).refusal();
    INFO(said);
    db.refused(specification, said);
  };
  const Json values = {{":v", {{"S", "a"}}}};
  as_in("Scan", {{"FilterExpression", ""}});
  as_in("Scan", {{"FilterExpression", "n ="}});
  as_in("Scan", {{"FilterExpression", "n = :v"}});
  as_in("Scan", {{"FilterExpression", std::string(4097, 'x')}});
  as_in("Scan", {{"FilterExpression", "pk.x = :v"}, {"ExpressionAttributeValues", values}});
  std::string many = "n = :v";
  for (int operators = 1; operators < 301; operators += 2) many += " OR n = :v";
  as_in("Scan", {{"FilterExpression", many}, {"ExpressionAttributeValues", values}});
  const Json large = {{":v", {{"S", std::string(2 * 1024 * 1024, 'x')}}}};
  as_in("Scan", {{"FilterExpression", "n = :v"}, {"ExpressionAttributeValues", large}});
  as_in("Scan", {{"ProjectionExpression", "n, n"}});
  as_in("Scan", {{"ProjectionExpression", "pk.x"}});
  as_in("Query", {{"ExpressionAttributeValues", values}});
  as_in("Scan", {{"ProjectionExpression", "n"}, {"ExpressionAttributeValues", values}});
  as_in("Scan", {{"ProjectionExpression", "n"}, {"ExpressionAttributeNames", {{"#n", "n"}}}});
  as_in("Query",
        {{"KeyConditionExpression", "pk = :v"}, {"ExpressionAttributeValues", {{":v", {{"N", "x"}}}}}});
  as_in("Query", {{"KeyConditionExpression", "sk = :v"}, {"ExpressionAttributeValues", values}});
  as_in("Query", {{"KeyConditionExpression", "pk > :v"}, {"ExpressionAttributeValues", values}});
  as_in("Query", {{"KeyConditionExpression", "pk = :v"},
                  {"FilterExpression", "sk = :v"},
                  {"ExpressionAttributeValues", values}});
}

}  // namespace test::export_filter_test
