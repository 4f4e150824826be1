#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/tables.md section 7.
namespace test::list_tables_test {
namespace {

Json list(DynamoDb& db, const Json& request) {
  return db.ok("ListTables", request);
}

}  // namespace

TEST_CASE("ListTables of nothing is an empty list") {
  DynamoDb db;
  CHECK(list(db, Json::object()) == Json{{"TableNames", Json::array()}});
  CHECK(db.call("ListTables", "").json() == Json{{"TableNames", Json::array()}});
}

TEST_CASE("names come in the order of their bytes") {
  DynamoDb db;
  for (const char* name : {"b.b", "abc", "b-b", "Zzz", "b_b", "B00", "ab0"}) db.create_table(name);
  CHECK(list(db, Json::object()) == Json{{"TableNames", {"B00", "Zzz", "ab0", "abc", "b-b", "b.b", "b_b"}}});
}

TEST_CASE("ListTables pages, with LastEvaluatedTableName when more remain") {
  DynamoDb db;
  for (const char* name : {"aaa", "bbb", "ccc", "ddd"}) db.create_table(name);
  CHECK(list(db, {{"Limit", 2}}) == Json{{"TableNames", {"aaa", "bbb"}}, {"LastEvaluatedTableName", "bbb"}});
  CHECK(list(db, {{"Limit", 1}, {"ExclusiveStartTableName", "bbb"}}) ==
        Json{{"TableNames", {"ccc"}}, {"LastEvaluatedTableName", "ccc"}});
  CHECK(list(db, {{"Limit", 3}, {"ExclusiveStartTableName", "bbb"}}) == Json{{"TableNames", {"ccc", "ddd"}}});
  CHECK(list(db, {{"ExclusiveStartTableName", "ddd"}}) == Json{{"TableNames", Json::array()}});
}

TEST_CASE("a page has at most a hundred names, and no limit means a hundred") {
  DynamoDb db;
  for (int i = 0; i < 101; ++i) db.create_table("table" + std::to_string(1000 + i));
  const Json page = list(db, Json::object());
  CHECK(page.at("TableNames").size() == 100);
  CHECK(page.at("LastEvaluatedTableName") == "table1099");
  CHECK(list(db, {{"Limit", 100}}) == page);
  CHECK(list(db, {{"ExclusiveStartTableName", "table1099"}}) == Json{{"TableNames", {"table1100"}}});
}

TEST_CASE("ExclusiveStartTableName need not exist; the list begins strictly after it") {
  DynamoDb db;
  for (const char* name : {"aaa", "ccc"}) db.create_table(name);
  CHECK(list(db, {{"ExclusiveStartTableName", "bbb"}}).at("TableNames") == Json::array({"ccc"}));
  CHECK(list(db, {{"ExclusiveStartTableName", "aaa"}}).at("TableNames") == Json::array({"ccc"}));
}

TEST_CASE("Limit is 1 to 100") {
  DynamoDb db;
  const auto message = [](const std::string& value, const std::string& bound) {
    return enveloped("Value '" + value +
                     "' at 'limit' failed to satisfy constraint: Member must have value " + bound);
  };
  check_refused(db, "ListTables", {{"Limit", 0}}, message("0", "greater than or equal to 1"));
  check_refused(db, "ListTables", {{"Limit", 101}}, message("101", "less than or equal to 100"));
  check_refused(db, "ListTables", {{"Limit", -1}}, message("-1", "greater than or equal to 1"));
  check_refused(db, "ListTables", {{"ExclusiveStartTableName", "ab"}});
}

TEST_CASE("a fraction is truncated before the limit is checked") {
  DynamoDb db;
  for (const char* name : {"aaa", "bbb"}) db.create_table(name);
  CHECK(list(db, {{"Limit", 1.9}}).at("TableNames") == Json::array({"aaa"}));
  check_refused(db, "ListTables", {{"Limit", 0.5}});
  check_refused(db, "ListTables", {{"Limit", -5.5}});
}

}  // namespace test::list_tables_test
