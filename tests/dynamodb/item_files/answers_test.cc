#include "dinette/dynamodb/item_files/answers.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::item_files::answers_test {
namespace {

using Views = std::vector<std::string_view>;

TEST_CASE("a page of a Scan is taken apart, its texts as they are") {
  std::string text = R"({"Items":[{"pk":{"S":"]}\""}} , {"n":{"N":"1E+2"}}],"Count":2,"ScannedCount":2,)"
                     R"("LastEvaluatedKey":{"pk":{"B":"AA=="}} })";
  const auto page = read_scan_page(text);
  REQUIRE(page.ok());
  CHECK(page->items == Views{R"({"pk":{"S":"]}\""}})", R"({"n":{"N":"1E+2"}})"});
  CHECK(page->last_key == R"({"pk":{"B":"AA=="}})");

  std::string last = R"({"Count":0,"Items":[]})";
  CHECK(read_scan_page(last)->items.empty());
  CHECK(read_scan_page(last)->last_key.empty());
}

TEST_CASE("unprocessed items are taken over, if there are any") {
  std::string some = R"({"UnprocessedItems":{"T":[{"PutRequest":{"Item":{}}}]},"ConsumedCapacity":[]})";
  CHECK(read_unprocessed(some).value() == R"({"T":[{"PutRequest":{"Item":{}}}]})");
  for (const char* const none : {R"({"UnprocessedItems":{}})", R"({"UnprocessedItems": { } })", "{}"}) {
    std::string text = none;
    CHECK(read_unprocessed(text).value().empty());
  }
}

TEST_CASE("tables, facts and tokens are read") {
  const auto page = read_table_page(R"({"TableNames":["A","B"],"LastEvaluatedTableName":"B"})");
  REQUIRE(page.ok());
  CHECK(page->names == std::vector<std::string>{"A", "B"});
  CHECK(page->last == "B");
  CHECK(read_table_page(R"({"TableNames":[]})")->last.empty());

  const auto facts = read_table_facts(R"({"Table":{"TableArn":"a","TableStatus":"ACTIVE","ItemCount":7}})");
  REQUIRE(facts.ok());
  CHECK(facts->arn == "a");
  CHECK(facts->id.empty());
  CHECK(facts->status == "ACTIVE");
  CHECK(facts->items == 7);

  CHECK(read_next_token(R"({"Tags":[],"NextToken":"t"})").value() == "t");
  CHECK(read_next_token(R"({"Tags":[]})").value().empty());
}

TEST_CASE("an answer that is none of the service's is refused") {
  for (const char* const text : {"", "<html>", "[]", R"({"Items":1})", R"({"Items":[1]})"}) {
    INFO(text);
    std::string answer = text;
    const auto page = read_scan_page(answer);
    REQUIRE_FALSE(page.ok());
    CHECK(page.error().starts_with("the server's answer to Scan is not as expected: "));
  }
  CHECK_FALSE(read_table_page("{}").ok());
  CHECK_FALSE(read_table_facts(R"({"Table":1})").ok());
  CHECK_FALSE(read_table_facts("no").ok());
  std::string text = "no";
  CHECK_FALSE(read_unprocessed(text).ok());
}

TEST_CASE("errors are read in every spelling") {
  const auto error = read_error(R"({"__type":"com.amazonaws.dynamodb.v20120810#XException","message":"m"})");
  CHECK(error.type == "XException");
  CHECK(error.message == "m");
  CHECK(read_error(R"({"__type":"XException","Message":"m"})").message == "m");
  CHECK(read_error("<html>").type.empty());
  CHECK(read_error("1").type.empty());
}

TEST_CASE("the keys of a table and its indexes are read from its description and its definition") {
  const std::string table = R"({"TableName":"T","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"N"}]})";
  for (const std::string& text : {table, "{\"Table\":" + table + "}"}) {
    const auto facts = read_key_facts(text);
    REQUIRE(facts.ok());
    CHECK(facts->of_table == std::vector<std::string>{"pk"});
    CHECK(facts->types.at("pk") == 'S');
    CHECK(facts->types.at("g") == 'N');
  }
  CHECK_FALSE(read_key_facts("{}").ok());
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::answers_test
