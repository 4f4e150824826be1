#include "mcp/existing_tables.h"

#include <string>

#include <catch2/catch.hpp>

#include "mcp/session.h"

namespace dinette::mcp::existing_tables_test {
namespace {

/// Answers ListTables with names, ten per page, and everything else with an error.
struct Tables {
  test::Session session{true};

  explicit Tables(const Json& names) {
    session.backend.answer = [names](const std::string& asked) {
      const auto request = asked.find("ListTables ");
      if (request == std::string::npos)
        return Reply{400,
                     R"({"__type":"a#ResourceNotFoundException","message":"Requested resource not found"})"};
      const Json from = Json::parse(asked.substr(asked.find('{'))).value("ExclusiveStartTableName", Json());
      Json page{{"TableNames", Json::array()}};
      bool begun = from.is_null();
      for (const Json& name : names) {
        if (begun) page["TableNames"].push_back(name);
        begun = begun || name == from;
        if (page["TableNames"].size() < 10) continue;
        page["LastEvaluatedTableName"] = name;
        break;
      }
      return Reply{200, page.dump()};
    };
  }

  std::string scan(const std::string& table) { return session.call("scan", Json{{"table", table}}.dump()); }
};

constexpr const char* missing = "error: ResourceNotFoundException: Requested resource not found";

TEST_CASE("a table that is missing is answered with those that exist, the nearest first") {
  Tables tables(Json::array({"Customers", "Order-Items", "Orders"}));
  CHECK(tables.scan("orders") == std::string(missing) + ". Tables: Orders, Order-Items, Customers.");
  CHECK(tables.scan("custmers") == std::string(missing) + ". Tables: Customers, Orders, Order-Items.");
  CHECK(Tables(Json::array()).scan("orders") == std::string(missing) + ". There are no tables.");
}

TEST_CASE("of many tables the nearest twenty are named, from all pages of the list") {
  Json names = Json::array();
  for (int i = 10; i < 35; ++i) names.push_back("Orders" + std::to_string(i));
  const std::string text = Tables(names).scan("orders34");
  CHECK_THAT(text, Catch::StartsWith(std::string(missing) + ". Tables: Orders34, Orders14, "));
  CHECK_THAT(text, Catch::EndsWith(" and 5 more."));
}

TEST_CASE("tables are looked for in the world of the call, by whatever names the missing one") {
  Tables tables(Json::array({"Customers", "Orders"}));
  const auto asked_last = [&](const std::string& tool, const Json& arguments) {
    const std::string text = tables.session.call(tool, arguments.dump());
    CHECK_THAT(text, Catch::EndsWith(". Tables: Orders, Customers."));
    return tables.session.backend.asked.back();
  };
  CHECK(asked_last("execute_statement", {{"statement", "SELECT * FROM \"orders\" WHERE a = 'b'"}}) ==
        "ListTables {\"Limit\":100}");
  CHECK(
      asked_last("put_items", {{"table", "orders"}, {"items", Json::array({{{"a", 1}}})}, {"world", "w"}}) ==
      "w: ListTables {\"Limit\":100}");
}

TEST_CASE("nothing is said about tables where they are not the reason") {
  Tables tables(Json::array({"Orders"}));
  CHECK(tables.scan("Orders") == missing);  // a backup, for example
  test::Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{400, R"({"__type":"a#ResourceNotFoundException","message":"gone"})"};
  };
  CHECK(session.call("scan", R"({"table":"abc"})") == "error: ResourceNotFoundException: gone");
}

TEST_CASE("the table of a statement follows FROM, INTO or UPDATE") {
  CHECK(table_of_statement("SELECT * FROM \"My.Table-1\".\"index\"") == "My.Table-1");
  CHECK(table_of_statement("select a, b\nfrom abc where x = 1") == "abc");
  CHECK(table_of_statement("INSERT INTO abc VALUE {'p': 1}") == "abc");
  CHECK(table_of_statement("UPDATE \"abc\" SET x = 1") == "abc");
  CHECK(table_of_statement("SELECT 'x").empty());
  CHECK(table_of_statement("FROM").empty());
  CHECK(table_of_statement("FROM \"abc") == "abc");
}

}  // namespace
}  // namespace dinette::mcp::existing_tables_test
