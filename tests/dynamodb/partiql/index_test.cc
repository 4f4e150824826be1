#include <catch2/catch.hpp>

#include "statements.h"
#include "support/tables.h"

// docs/service/partiql.md section 6.
namespace test::partiql::index_test {
namespace {

/// Global indexes `keys` (KEYS_ONLY), `part` (INCLUDE p) and `many` (two HASH attributes), local index
/// `near` (INCLUDE p), all but `many` by ipk or pk and isk.
void make_table(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk:N", "ipk isk:N",
                      {global_index("keys", "ipk", "isk", keys_only()),
                       global_index("part", "ipk", "isk", including({"p"})), global_index("many", "ipk isk"),
                       local_index("near", "isk", including({"p"}))}));
  for (const std::string sk : {"1", "2", "3"}) {
    put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": ")" + sk + R"("}, "ipk": {"S": "y"}, "isk": {"N": "-)" +
                   sk + R"("}, "p": {"S": "p"}, "a": {"S": "1"}, "x": {"S": ")" + sk + "\"}}"});
  }
  put_items(db, {R"({"pk": {"S": "a"}, "sk": {"N": "4"}})"});
}

}  // namespace

TEST_CASE("an index has its own items, order and attributes") {
  DynamoDb db;
  make_table(db);
  CHECK(column(selected(db, R"(SELECT * FROM "Tab"."keys" WHERE ipk = 'y')"), "sk") == "3 2 1");
  CHECK(column(selected(db, R"(SELECT * FROM Tab.near WHERE pk = 'a' AND isk < -1)"), "sk") == "3 2");
  CHECK(
      selected(db, "SELECT * FROM Tab.part WHERE ipk = 'y' AND isk = -1") ==
      Json::parse(
          R"([{"pk": {"S": "a"}, "sk": {"N": "1"}, "ipk": {"S": "y"}, "isk": {"N": "-1"}, "p": {"S": "p"}}])"));
  CHECK(selected(db, "SELECT * FROM Tab.near WHERE pk = 'a' AND isk = -1") ==
        Json::parse(R"([{"pk": {"S": "a"}, "sk": {"N": "1"}, "isk": {"N": "-1"}, "p": {"S": "p"}}])"));
  CHECK(selected(db, "SELECT * FROM Tab.keys").size() == 3);
  CHECK(column(selected(db, "SELECT * FROM Tab.keys WHERE ipk = 'y' ORDER BY isk DESC"), "sk") == "1 2 3");
  check_refused_statement(db, "SELECT * FROM Tab.keys WHERE ipk = 'y' ORDER BY sk",
                          "Attribute sk in ORDER BY clause must be part of the primary key");
}

TEST_CASE("an unknown index is refused, and an unknown table first") {
  DynamoDb db;
  make_table(db);
  for (const std::string name : {"none", "Tab"}) {
    check_refused_statement(db, "SELECT * FROM Tab." + name, "The table does not have the specified index",
                            R"("ConsistentRead": true)");
  }
  CHECK(execute(db, "SELECT * FROM none.keys").error() == "ResourceNotFoundException");
}

TEST_CASE("a global index is not read consistently") {
  DynamoDb db;
  make_table(db);
  check_refused_statement(db, "SELECT a FROM Tab.keys WHERE ipk = 1",
                          "Strongly consistent read is not supported on Global Secondary Indexes",
                          R"("ConsistentRead": true)");
  CHECK(execute(db, "SELECT * FROM Tab.near", R"("ConsistentRead": true)").status == 200);
}

TEST_CASE("columns that a global index does not project are refused, and named") {
  DynamoDb db;
  make_table(db);
  check_refused_statements(
      db, {{"SELECT b, p, a, b.c FROM Tab.part WHERE ipk = 1",
            invalid("Global secondary index part does not project [b, a]")},
           {"SELECT a FROM Tab.keys", invalid("Global secondary index keys does not project [a]")}});
}

TEST_CASE("columns that a local index does not project are read from the table") {
  DynamoDb db;
  make_table(db);
  CHECK(selected(db, "SELECT x, p FROM Tab.near WHERE pk = 'a' AND isk = -2") ==
        Json::parse(R"([{"x": {"S": "2"}, "p": {"S": "p"}}])"));
}

TEST_CASE("filters on what an index does not project") {
  DynamoDb db;
  make_table(db);
  const auto refusal = [](const std::string& index, const std::string& names) {
    return invalid("Secondary index " + index + " does not project one or more filter attributes: [" + names +
                   "]");
  };
  check_refused_statements(
      db,
      {{"SELECT * FROM Tab.keys WHERE ipk = 'y' AND a = '1'", refusal("keys", "a")},
       {"SELECT * FROM Tab.keys WHERE ipk IN ['y'] AND isk BETWEEN 1 AND 2 AND NOT a = '1'",
        refusal("keys", "a")},
       {"SELECT * FROM Tab.near WHERE pk = 'a' AND (x IS MISSING)", refusal("near", "x")},
       {"SELECT * FROM Tab.keys WHERE ipk = 'y' AND x IS NOT MISSING", refusal("keys", "x")},
       {"SELECT * FROM Tab.keys WHERE ipk = 'y' AND begins_with(x, 'a')", refusal("keys", "x")},
       {"SELECT * FROM Tab.part WHERE ipk = 'y' AND b='1' AND (a='2' OR p='3')", refusal("part", "a, b")},
       {"SELECT * FROM Tab.keys WHERE ipk = 'y' AND b='1' AND (a='2' OR p='3')", refusal("keys", "p, a, b")},
       {"SELECT * FROM Tab.keys WHERE ipk = 'y' AND (zz='1' OR aa='2' OR mm='3')",
        refusal("keys", "zz, aa, mm")},
       {"SELECT * FROM Tab.keys WHERE (ipk = 'z' AND a = '1') OR (ipk = 'y' AND b = '1')",
        refusal("keys", "a")}});
  CHECK(selected(db, "SELECT * FROM Tab.keys WHERE ipk = 'z' AND a = '1' OR ipk = 'y'").size() == 3);
}

TEST_CASE("a scan of an index takes every filter, and what is not projected is missing") {
  DynamoDb db;
  make_table(db);
  CHECK(selected(db, "SELECT * FROM Tab.keys WHERE a = '1'").empty());
  CHECK(selected(db, "SELECT * FROM Tab.keys WHERE NOT a = 'x'").size() == 3);
  CHECK(selected(db, "SELECT * FROM Tab.keys WHERE ipk='y' AND (ipk='z' OR a='1')").empty());
  CHECK(selected(db, "SELECT * FROM Tab.keys WHERE (ipk='y' AND a='1') OR b='1'").empty());
  CHECK(selected(db, "SELECT * FROM Tab.near WHERE x = '1'").empty());
}

TEST_CASE("an index of several HASH attributes is not read") {
  DynamoDb db;
  make_table(db);
  const std::string message =
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute "
      "RANGE keys.";
  for (const std::string text : {"SELECT * FROM Tab.many", "SELECT * FROM Tab.many WHERE ipk = 1",
                                 "SELECT COUNT(*) FROM Tab.many", "SELECT * FROM Tab.many ORDER BY ipk"})
    check_refused_statement(db, text, message);
  check_refused_statement(db, "SELECT * FROM Tab.many", message, R"("ConsistentRead": true)");
  check_refused_statement(db, "SELECT COUNT(*) FROM Tab.keys", "Unexpected path component at 1:8:5");
  const Reply batch = db.call("BatchExecuteStatement",
                              R"({"Statements": [{"Statement": "SELECT * FROM Tab.many WHERE ipk = 'y'"}]})");
  CHECK(batch.json()["Responses"][0]["Error"]["Message"] == message);
  for (const std::string text :
       {"SELECT * FROM Tab", "SELECT * FROM Tab.keys", "SELECT * FROM Tab.near WHERE pk = 'a'",
        "INSERT INTO Tab VALUE {'pk': 'b', 'sk': 1}", "UPDATE Tab SET p = 'p' WHERE pk = 'b' AND sk = 1",
        "DELETE FROM Tab WHERE pk = 'b' AND sk = 1"}) {
    INFO(text);
    CHECK(execute(db, text).status == 200);
  }
}

TEST_CASE("an index of several RANGE attributes is not read") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk", "r1 r2", {global_index("ranges", "pk", "r1 r2")}));
  check_refused_statement(db, "SELECT * FROM Tab.ranges WHERE pk = 'a'",
                          "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
                          "multi-attribute RANGE keys.");
}

TEST_CASE("the last key of an index has the keys of index and table") {
  DynamoDb db;
  make_table(db);
  const Json page = executed(db, "SELECT pk FROM Tab.keys WHERE ipk = 'y'", R"("Limit": 1)");
  CHECK(page.at("LastEvaluatedKey") ==
        Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "3"}, "ipk": {"S": "y"}, "isk": {"N": "-3"}})"));
  CHECK(column(items_of(pages_of_statement(db, "SELECT * FROM Tab.keys WHERE ipk = 'y'", R"("Limit": 1)")),
               "sk") == "3 2 1");
}

TEST_CASE("what reads of an index cost") {
  DynamoDb db;
  make_table(db);
  for (const std::string sk : {"11", "12", "13", "14", "15", "16"}) {
    put_items(db, {R"({"pk": {"S": "big"}, "sk": {"N": ")" + sk + R"("}, "isk": {"N": "0"}, "p": {"S": ")" +
                   sk + R"("}, "x": {"S": ")" + std::string(sk == "11" ? 4096 : 100, '.') + "\"}}"});
  }
  const auto arms = [&](const std::string& text, const std::string& members = "") {
    const Json capacity = capacity_of(db, text, members);
    const Json local = capacity.value("LocalSecondaryIndexes", Json::object());
    return listed(capacity["CapacityUnits"], capacity["Table"]["CapacityUnits"],
                  local.contains("near") ? local["near"]["CapacityUnits"] : Json());
  };
  const std::string consistent = R"("ConsistentRead": true)";
  CHECK(arms("SELECT * FROM Tab.near WHERE pk = 'big'", consistent) == listed(1, 0, 1));
  CHECK(arms("SELECT p, sk FROM Tab.near WHERE pk = 'big'") == listed(0.5, 0, 0.5));
  CHECK(arms("SELECT x FROM Tab.near WHERE pk = 'big'", consistent) == listed(8, 7, 1));
  CHECK(arms("SELECT x FROM Tab.near WHERE pk = 'big'") == listed(4, 3.5, 0.5));
  CHECK(arms("SELECT x FROM Tab.near WHERE pk = 'big' AND p = 'none'", consistent) == listed(8, 7, 1));
  CHECK(arms("SELECT x FROM Tab.near WHERE pk = 'big'", consistent + R"(, "Limit": 1)") == listed(3, 2, 1));
  const Json global = capacity_of(db, "SELECT * FROM Tab.keys WHERE ipk = 'y'");
  CHECK(global["Table"]["CapacityUnits"] == 0);
  CHECK(global["GlobalSecondaryIndexes"]["keys"]["CapacityUnits"] == 0.5);
}

}  // namespace test::partiql::index_test
