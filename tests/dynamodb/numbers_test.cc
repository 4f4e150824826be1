#include <algorithm>

#include <catch2/catch.hpp>

#include "dynamodb/value_places.h"

// docs/service/values.md section 2.
namespace test::numbers_test {
namespace {

struct Spelling {
  std::string sent;
  std::string stored;
};

std::string zeros(std::size_t count) {
  return std::string(count, '0');
}
std::string nines(std::size_t count) {
  return std::string(count, '9');
}

std::string number(std::string_view text) {
  return Json{{"N", text}}.dump();
}

const std::string not_a_number = "The parameter cannot be converted to a numeric value: ";
const std::string overflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string underflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const std::string too_precise = "Attempting to store more than 38 significant digits in a Number";

void check_refused(DynamoDb& db, std::string_view text, const std::string& sentence) {
  INFO("the number is written " << text);
  test::check_refusal(
      db, {"PutItem", R"("Item":{"pk":{"S":"a"},"x":)" + number(text) + "}", test::enveloped(sentence)});
}

/// What `SET x = <expression>` does about `a` and `:b`.
test::Reply compute(DynamoDb& db, std::string_view a, std::string_view expression, std::string_view b) {
  test::store_item(db, R"("a":)" + number(a));
  return test::call_item(db, "UpdateItem",
                         R"("UpdateExpression":"SET x = )" + std::string(expression) +
                             R"(","ExpressionAttributeValues":{":b":)" + number(b) + "}");
}

}  // namespace

TEST_CASE("a number is stored as plain decimal, however it is written") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::initializer_list<Spelling> spellings = {
      {"+5", "5"},
      {"+1.5", "1.5"},
      {"+0", "0"},
      {"-0", "0"},
      {"+0.0", "0"},
      {"+1e2", "100"},
      {"1e+2", "100"},
      {"1.5E+3", "1500"},
      {".5", "0.5"},
      {"+.5", "0.5"},
      {"1.0", "1"},
      {"1.5E2", "150"},
      {"5.", "5"},
      {"1.", "1"},
      {"1.e5", "100000"},
      {"00042", "42"},
      {"+1e-2", "0.01"},
      {"1.23E10", "12300000000"},
      {"3.1400", "3.14"},
      {"-007.50", "-7.5"},
      {"1E125", "1" + zeros(125)},
      {"-1E125", "-1" + zeros(125)},
      {"1E-130", "0." + zeros(129) + "1"},
      {"-1E-130", "-0." + zeros(129) + "1"},
      {"9." + nines(37) + "E+125", nines(38) + zeros(88)},
      {"-9." + nines(37) + "E+125", "-" + nines(38) + zeros(88)},
      {nines(38), nines(38)},
      {"0.000" + nines(38) + "000", "0.000" + nines(38)},
      {"000" + nines(38) + "000", nines(38) + "000"},
      {"0e125", "0"},
      {"0e-130", "0"},
  };
  for (const auto& [sent, stored] : spellings) {
    INFO("the number is written " << sent);
    test::store_item(db, R"("x":)" + number(sent));
    CHECK(test::stored_attributes(db).at("x") == Json{{"N", stored}});
  }
}

TEST_CASE("numbers are stored alike in sets, in documents and as results of expressions") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("s":{"NS":["+1.50"]},"l":{"L":[{"N":"1e2"}]},"m":{"M":{"n":{"N":"007"}}})");
  test::ok_item(db, "UpdateItem", R"("UpdateExpression":"SET r = :v, added = :v + :v ADD s :s",
      "ExpressionAttributeValues":{":v":{"N":"5.0E-1"},":s":{"NS":["02.0"]}})");
  Json stored = test::stored_attributes(db);
  std::sort(stored["s"]["NS"].begin(), stored["s"]["NS"].end());
  CHECK(stored == R"({"s":{"NS":["1.5","2"]},"l":{"L":[{"N":"100"}]},"m":{"M":{"n":{"N":"7"}}},
                      "r":{"N":"0.5"},"added":{"N":"1"}})"_json);
}

TEST_CASE("numeric keys that are equal are one key and come back as plain decimal") {
  DynamoDb db;
  db.create_table(test::the_table, "N", "N");
  db.put(test::the_table, R"({"pk":{"N":"+1.0"},"sk":{"N":"0.50E1"},"x":{"S":"old"}})"_json);
  db.put(test::the_table, R"({"pk":{"N":"01"},"sk":{"N":"5"},"x":{"S":"new"}})"_json);
  CHECK(db.get(test::the_table, R"({"pk":{"N":"1e0"},"sk":{"N":"5.000"}})"_json) ==
        R"({"pk":{"N":"1"},"sk":{"N":"5"},"x":{"S":"new"}})"_json);
}

TEST_CASE("text that is not a number is refused with the text") {
  DynamoDb db;
  for (const std::string_view text :
       {"+e2",     "e2",  "+1+2", "1+2",  "1.2.3",    "+1.2.3", "++5",     "+-5", "-+5",
        "+",       "-",   ".",    "1e",   "1e+",      "1e-",    "1e+-2",   "-.",  "+.e1",
        "1.2e3.4", "0x5", "0x10", "NaN",  "Infinity", "1_000",  " 1",      "1 ",  "1 0",
        "\t1",     "1\n", "- 1",  "1 e2", "one",      "1,5",    "\xd9\xa1"}) {
    check_refused(db, text, not_a_number + std::string(text));
  }
}

TEST_CASE("an empty text is refused with a sentence that ends in a space") {
  DynamoDb db;
  check_refused(db, "", not_a_number);
}

TEST_CASE("magnitudes end at 9.99E+125 and 1E-130") {
  DynamoDb db;
  for (const std::string_view text : {"1E+126", "-1E+126", "10E125", "0.1E127"})
    check_refused(db, text, overflow);
  for (const std::string_view text : {"1E-131", "-1E-131", "0.1E-130"}) check_refused(db, text, underflow);
}

TEST_CASE("significant digits end at 38") {
  DynamoDb db;
  check_refused(db, nines(39), too_precise);
  check_refused(db, "-0.00" + nines(39), too_precise);
  check_refused(db, "1" + zeros(37) + "1", too_precise);
  check_refused(db, "1." + zeros(37) + "1E100", too_precise);
}

TEST_CASE("a zero is checked by the exponent written after it") {
  DynamoDb db;
  check_refused(db, "0e126", overflow);
  check_refused(db, "0e-131", underflow);
}

TEST_CASE("exponents beyond 32 bits are out of range and beyond 64 bits no number") {
  DynamoDb db;
  for (const std::string_view text : {"1e99999999999", "-1e99999999999", "1e2147483648", "1e2147483647"}) {
    check_refused(db, text, overflow);
  }
  for (const std::string_view text : {"1e-99999999999", "1e-2147483648"}) check_refused(db, text, underflow);
  check_refused(db, "1e9223372036854775808", not_a_number + "1e9223372036854775808");
}

TEST_CASE("a bad number is refused wherever it is, before the table is looked up") {
  test::check_refused_everywhere(number("1E126"), overflow);
  test::check_refused_everywhere(number("abc"), not_a_number + "abc");
  test::check_refused_everywhere(R"({"NS":["1","2x"]})", not_a_number + "2x");
  test::check_refused_everywhere(R"({"NS":["1",""]})", not_a_number);
}

TEST_CASE("a bad number is reported, and not compared with the other bound of BETWEEN") {
  DynamoDb db;
  const auto bounds = [](std::string_view low, std::string_view high) {
    return R"(":lo":)" + number(low) + R"(,":hi":)" + number(high);
  };
  const std::string legacy = R"({"x":{"ComparisonOperator":"BETWEEN","AttributeValueList":[)";
  const std::string of_a =
      R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]})";
  const std::pair<std::string, std::string> bad_numbers[] = {
      {"1e126", overflow}, {"1e-131", underflow}, {"bad", not_a_number + "bad"}};
  for (const auto& [bad, sentence] : bad_numbers) {
    for (const auto& [low, high] : {std::pair<std::string, std::string>("5", bad), {bad, "-5"}}) {
      const std::string values = bounds(low, high);
      const std::string list = legacy + number(low) + "," + number(high) + "]}}";
      for (const char* operation : {"PutItem", "UpdateItem", "DeleteItem"}) {
        test::check_refusals(
            db, {{operation, test::condition("x BETWEEN :lo AND :hi", values), test::enveloped(sentence)},
                 {operation, R"("Expected":)" + list, test::enveloped(sentence)}});
      }
      const std::string of_p = R"("ExpressionAttributeValues":{":p":{"S":"a"},)" + values + "}";
      test::check_refusals(
          db,
          {{"Query", R"("KeyConditionExpression":"pk = :p AND sk BETWEEN :lo AND :hi",)" + of_p, sentence},
           {"Query",
            R"("KeyConditionExpression":"pk = :p","FilterExpression":"x BETWEEN :lo AND :hi",)" + of_p,
            sentence},
           {"Query", of_a + R"(},"QueryFilter":)" + list, sentence},
           {"Query", of_a + ',' + list.substr(1), sentence},
           {"Scan", R"("ScanFilter":)" + list, sentence}});
    }
  }
}

TEST_CASE("sound bounds of BETWEEN are compared even if another value is wrong") {
  DynamoDb db;
  test::check_refusal(
      db, {"UpdateItem",
           test::condition("y = :y AND x BETWEEN :lo AND :hi",
                           R"(":y":{"N":"bad"},":lo":{"N":"2"},":hi":{"N":"1"})"),
           test::enveloped("Invalid ConditionExpression: The BETWEEN operator requires upper bound to be "
                           "greater than or equal to lower bound; lower bound operand: AttributeValue: "
                           "{N:2}, upper bound operand: AttributeValue: {N:1}")});
}

TEST_CASE("a bad number in the key of a table with string keys is reported as a number") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string key = R"("Key":{"pk":{"N":"1E126"}})";
  test::check_refusals(db, {{"GetItem", key, overflow},
                            {"UpdateItem", key, test::enveloped(overflow)},
                            {"DeleteItem", key, test::enveloped(overflow)},
                            {"PutItem", R"("Item":{"pk":{"N":"1E126"}})", test::enveloped(overflow)}});
}

TEST_CASE("results of arithmetic obey the limits of numbers") {
  DynamoDb db;
  db.create_table(test::the_table);
  CHECK(compute(db, "9.9E125", "a + :b", "1E124").refusal() == overflow);
  CHECK(compute(db, "-9.9E125", "a - :b", "1E124").refusal() == overflow);
  CHECK(compute(db, "1.1E-130", "a - :b", "1E-130").refusal() == underflow);
  CHECK(compute(db, nines(38), "a + :b", "0.1").refusal() == overflow);
  CHECK(compute(db, nines(37) + "8", "a + :b", "1").status == 200);
  CHECK(test::stored_attributes(db).at("x") == Json{{"N", nines(38)}});
  test::store_item(db, R"("a":{"N":"9.9E125"})");
  test::check_refusal(
      db, {"UpdateItem", R"("UpdateExpression":"ADD a :b","ExpressionAttributeValues":{":b":{"N":"1E124"}})",
           overflow});
}

}  // namespace test::numbers_test
