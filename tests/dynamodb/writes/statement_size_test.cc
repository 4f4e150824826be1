#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/values.md section 6, "Statement-sized rule of UpdateItem"; README.md, regional split 6: as
// us-east-1.
namespace test::statement_size_test {
namespace {

constexpr std::size_t limit = 409'600;
constexpr std::size_t statement = 3;
constexpr std::size_t set = 19;

const std::string too_large = "Item size to update has exceeded the maximum allowed size";

/// A statement on an item, with its charge in addition to `SET f = :f`, which fills it up to the limit.
struct Statement {
  std::string_view stored;  ///< attributes of the item, as JSON
  std::string_view sets;    ///< actions of SET
  std::string_view others;  ///< further clauses
  std::string_view values;  ///< EAV, as JSON
  std::string_view names;   ///< EAN, as JSON
  std::size_t charge;
};

std::string request(const Statement& one, std::size_t filler) {
  std::string sets(one.sets);
  if (!sets.empty()) sets += ", ";
  std::string members = R"("UpdateExpression":"SET )" + sets + "f = :f " + std::string(one.others) +
                        R"(","ExpressionAttributeValues":{":f":{"S":")" + std::string(filler, 'f') + R"("})";
  if (!one.values.empty()) members += "," + std::string(one.values);
  members += "}";
  if (!one.names.empty()) members += R"(,"ExpressionAttributeNames":{)" + std::string(one.names) + "}";
  return members;
}

void check_charge(const Statement& one) {
  INFO("SET " << one.sets << " " << one.others << " costs " << one.charge);
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, one.stored);
  const std::size_t most = limit - statement - one.charge - (set + 1);
  test::check_refusal(db, {"UpdateItem", request(one, most + 1), too_large});
  test::ok_item(db, "UpdateItem", request(one, most));
}

}  // namespace

TEST_CASE("SET is charged its target and its value") {
  check_charge({"", "x = :v", "", R"(":v":{"S":"abcd"})", "", set + 1 + 4});
  check_charge({"", "label = :v", "", R"(":v":{"N":"123"})", "", set + 5 + 3});
  check_charge({"", "x = :v", "", R"(":v":{"L":[{"S":"ab"},{"M":{"k":{"BOOL":true}}}]})", "", set + 1 + 13});
}

TEST_CASE("a value is charged at every use") {
  check_charge({"", "x = :v, y = :v", "", R"(":v":{"S":"ab"})", "", 2 * (set + 1 + 2)});
}

TEST_CASE("a target of several elements is charged 4 and the element for each further one") {
  check_charge({R"("m":{"M":{"k":{"M":{}}}})", "m.k.abc = :v", "", R"(":v":{"S":""})", "",
                set + 1 + (4 + 1) + (4 + 3)});
  check_charge({R"("l":{"L":[{"S":""}]})", "l[0] = :v", "", R"(":v":{"S":""})", "", set + 1 + (4 + 1)});
  check_charge({R"("l":{"L":[]})", "l[123] = :v", "", R"(":v":{"S":""})", "", set + 1 + (4 + 3)});
}

TEST_CASE("names are charged as resolved, in UTF-8") {
  check_charge({"", "#n = :v", "", R"(":v":{"S":""})", R"("#n":"ab")", set + 2});
  check_charge(
      {"", "#a_very_long_alias = :v", "", R"(":v":{"S":""})", R"("#a_very_long_alias":"\u00e9")", set + 2});
  check_charge({"", "x   =    :v", "", R"(":v":{"S":""})", "", set + 1});
}

TEST_CASE("a path as operand is charged 1 and 14 and the element for each, what it reads is free") {
  check_charge({R"("a":{"S":"12345"})", "x = a", "", "", "", set + 1 + 1 + (14 + 1)});
  check_charge({R"("a":{"M":{"bc":{"L":[{"S":"1"}]}}})", "x = a.bc[0]", "", "", "",
                set + 1 + 1 + (14 + 1) + (14 + 2) + (14 + 1)});
}

TEST_CASE("arithmetic is charged 34 for plus and 37 for minus and its operands, the result is free") {
  const std::string_view values = R"(":v":{"N":"123"})";
  check_charge({R"("n":{"N":"1"})", "n = n + :v", "", values, "", set + 1 + 34 + 15 + 1 + 3});
  check_charge({R"("n":{"N":"1"})", "n = n - :v", "", values, "", set + 1 + 37 + 15 + 1 + 3});
  check_charge({"", "n = :v + :v", "", values, "", set + 1 + 34 + 3 + 3});
}

TEST_CASE("if_not_exists is charged 39 and both operands, whether or not the path exists") {
  const std::size_t charge = set + 1 + 39 + (1 + 14 + 1) + 2;
  check_charge({R"("x":{"S":""})", "x = if_not_exists(x, :v)", "", R"(":v":{"S":"ab"})", "", charge});
  check_charge({"", "x = if_not_exists(x, :v)", "", R"(":v":{"S":"ab"})", "", charge});
}

TEST_CASE("list_append is charged 37 and both operands") {
  const std::string_view values = R"(":v":{"L":[{"S":"a"}]})";
  check_charge(
      {R"("l":{"L":[]})", "l = list_append(l, :v)", "", values, "", set + 1 + 37 + (1 + 14 + 1) + 5});
  check_charge({"", "l = list_append(if_not_exists(l, :v), :v)", "", values, "",
                set + 1 + 37 + (39 + (1 + 14 + 1) + 5) + 5});
}

TEST_CASE("ADD is charged its target and value, of a set only the members that it adds") {
  check_charge({"", "", "ADD n :v", R"(":v":{"N":"12"})", "", set + 1 + 2});
  check_charge({R"("n":{"N":"5"})", "", "ADD n :v", R"(":v":{"N":"12"})", "", set + 1 + 2});
  check_charge({"", "", "ADD s :v", R"(":v":{"SS":["abc","d"]})", "", set + 1 + 4});
  check_charge({R"("s":{"SS":["abc"]})", "", "ADD s :v", R"(":v":{"SS":["abc","d"]})", "", set + 1 + 1});
  check_charge({R"("s":{"NS":["1"]})", "", "ADD s :v", R"(":v":{"NS":["1.0","123"]})", "", set + 1 + 3});
  check_charge({R"("s":{"BS":["AA=="]})", "", "ADD s :v", R"(":v":{"BS":["AA=="]})", "", set + 1});
}

TEST_CASE("REMOVE and DELETE are charged 1 and their target") {
  check_charge({R"("abc":{"S":"x"})", "", "REMOVE abc", "", "", 1 + 3});
  check_charge({R"("m":{"M":{"k":{"S":""}}})", "", "REMOVE m.k", "", "", 1 + 1 + (4 + 1)});
  check_charge({R"("s":{"SS":["abc","d"]})", "", "DELETE s :v", R"(":v":{"SS":["abc"]})", "", 1 + 1});
}

TEST_CASE("attributes that the statement does not touch are not charged") {
  check_charge({R"("b":{"S":"123456789"})", "x = :v", "", R"(":v":{"S":""})", "", set + 1});
}

TEST_CASE("an over-limit charge is refused though the finished item is small, and ahead of the condition") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("x":{"S":"small"})");
  const auto keep_x = [](std::size_t bytes, std::string_view condition) {
    return R"~("UpdateExpression":"SET x = if_not_exists(x, :v)","ConditionExpression":")~" +
           std::string(condition) + R"(","ExpressionAttributeValues":{":v":{"S":")" +
           std::string(bytes, 'v') + R"("}})";
  };
  const std::size_t most = limit - statement - (set + 1 + 39 + 16);
  test::check_refusal(db, {"UpdateItem", keep_x(most + 1, "attribute_exists(x)"), too_large});
  test::check_refusal(db, {"UpdateItem", keep_x(most + 1, "attribute_exists(nowhere)"), too_large});
  test::check_condition_failed(test::call_item(db, "UpdateItem", keep_x(most, "attribute_exists(nowhere)")));
  test::ok_item(db, "UpdateItem", keep_x(most, "attribute_exists(x)"));
}

}  // namespace test::statement_size_test
