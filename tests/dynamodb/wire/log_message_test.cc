#include "dynamodb/wire/log_message.h"

#include <string>

#include <catch2/catch.hpp>

#include "dinette/face/request_log.h"

#include "support/captured_log.h"
#include "support/tables.h"

namespace test::log_message_test {
namespace {

using dinette::base::LogLevel;

std::string without_items(const std::string& message, const std::string& request) {
  simdjson::dom::parser parser;
  return dinette::dynamodb::wire::without_items(message, parser.parse(request));
}

/// Returns the log of a request that is refused, apart from earlier ones.
std::string log_of(dinette::dynamodb::ServiceOptions options, std::string_view operation,
                   const Json& request) {
  CapturedLog log(LogLevel::info);
  DynamoDb db(std::move(options));
  db.create_table("Music");
  log.text();
  CHECK(db.call(operation, request).status == 400);
  return log.text();
}

}  // namespace

TEST_CASE("a request that names no operation has no target in the log") {
  CapturedLog log(LogLevel::info);
  DynamoDb db;
  CHECK(db.send("POST", "/", {{"Host", "localhost"}}, "{}").status == 400);
  const std::string text = log.text();
  CHECK_THAT(text, Catch::Contains("info request status=400 ") && !Catch::Contains("target="));
}

TEST_CASE("the values of a request's attributes are masked in a message") {
  const std::string request =
      R"({"TableName":"Music","Item":{"pk":{"S":"secret"},"n":{"N":"1e2"},"b":{"B":"AQ=="},
    "set":{"SS":["x y","red"]},"map":{"M":{"S":{"S":"deep"}}},"list":{"L":[{"NS":["7"]},{"N":8}]}}})";
  const auto masked = [&](const std::string& message) { return without_items(message, request); };
  CHECK(masked("Value 'secret' at Music") == "Value '***' at Music");
  CHECK(masked("value: 1e2") == "value: ***");
  CHECK(masked("AttributeValue: {N:100}") == "AttributeValue: {N:***}");
  CHECK(masked("collection [AQ==, AQ==]of type BS") == "collection [***, ***]of type BS");
  CHECK(masked("collection [\"x y\", \"red\"] contains") == "collection [\"***\", \"***\"] contains");
  CHECK(masked("of deep, 7 and 8.") == "of ***, *** and ***.");
  CHECK(masked("Missing the key pk in the item of Music") == "Missing the key pk in the item of Music");
}

TEST_CASE("a value is a word of its own, and begins no message") {
  const std::string request = R"({"Item":{"pk":{"S":"a"},"n":{"N":"1"}}})";
  CHECK(without_items("1 validation error detected: a value 'a' at 1.member", request) ==
        "1 validation error detected: *** value '***' at ***.member");
}

TEST_CASE("a message is left out if looking for the values of its request would take long") {
  std::string values = R"({"N":"1"})";
  for (int more = 1; more < 10'000; ++more) values += R"(,{"N":"1"})";
  CHECK(without_items("no value", R"({"L":[)" + values + "]}") == "no value");
  CHECK(without_items("no value", R"({"L":[{"N":"1"},)" + values + "]}").empty());
}

TEST_CASE("a value is found however JSON writes it") {
  const std::string request = R"({"Item":{"pk":{"S":"a\"b\\c"}}})";
  CHECK(without_items(R"(Value '{"S":"a\"b\\c"}' at)", request) == R"(Value '{"S":"***"}' at)");
  CHECK(without_items(R"(Value 'a"b\c' at)", request) == "Value '***' at");
}

TEST_CASE("the literals of statements are masked, and their names are not") {
  const std::string request =
      R"({"Statements":[{"Statement":"SELECT * FROM \"it's\" WHERE pk = 'top secret' AND n = 12.5 AND x2 = 'it''s"}]})";
  CHECK(without_items("Unexpected 'top secret' or 12.5 under pk of it", request) ==
        "Unexpected '***' or *** under pk of ***");
  CHECK(without_items("Unexpected path component at x2 of Music", request) ==
        "Unexpected path component at x2 of Music");
}

TEST_CASE("a message is as long as the log shows it, and no part of a value is left at its end") {
  constexpr std::size_t most = dinette::face::RequestLog::most_message_bytes;
  const std::string secret(most, 's');
  const std::string longer = secret + secret + "t";
  for (const std::string& value : {secret, longer}) {
    const std::string request = R"({"Key":{"pk":{"S":")" + value + R"("}}})";
    CHECK(without_items("Value '" + value + "' at", request) == "Value '***...");
    const std::string text = "Value " + std::string(most - 10, '-');
    CHECK(without_items(text + value, request) == text + "***...");
  }
  CHECK(without_items(std::string(most, 'm'), "{}") == std::string(most, 'm'));
  CHECK(without_items(std::string(most + 1, 'm'), "{}") == std::string(most, 'm') + "...");
}

TEST_CASE("the line of a request that fails says why, with contents of items only where they may be shown") {
  const Json item{{"TableName", "Music"}, {"Item", {{"pk", {{"S", "k"}}}, {"n", {{"N", "Confidential"}}}}}};
  const std::string start = "error=ValidationException error_message=\"";
  const std::string end = "cannot be converted to a numeric value: ";
  const std::string masked = log_of({}, "PutItem", item);
  CHECK_THAT(masked, Catch::Contains(start) && Catch::Contains(end + "***\" "));
  CHECK_THAT(masked, !Catch::Contains("Confidential"));
  dinette::dynamodb::ServiceOptions with_items;
  with_items.log_items = true;
  CHECK_THAT(log_of(with_items, "PutItem", item), Catch::Contains(end + "Confidential\" "));
}

TEST_CASE("errors before and instead of an operation say why as well") {
  CapturedLog log(LogLevel::info);
  DynamoDb db;
  db.call("GetItem", Json{{"TableName", "Nothing"}, {"Key", {{"pk", {{"S", "Confidential"}}}}}});
  CHECK_THAT(log.text(), Catch::Contains("error=ResourceNotFoundException error_message=\"") &&
                             Catch::Contains("not found") && !Catch::Contains("Confidential"));
  db.call("ListTables", "{}", {{"X-Dinette-World", "nowhere"}});
  CHECK_THAT(log.text(),
             Catch::Contains("error=ValidationException error_message=\"") && Catch::Contains("nowhere"));
  db.refused(431, "Headers too large\n");
  CHECK_THAT(log.text(),
             Catch::Contains("request refused status=400 error_message=\"Headers too large\" remote="));
  db.call("ListTables", "{}");
  CHECK_THAT(log.text(), Catch::Contains("status=200 microseconds=") && !Catch::Contains("error"));
}

}  // namespace test::log_message_test
