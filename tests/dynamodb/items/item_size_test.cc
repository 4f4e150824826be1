#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/values.md section 6.
namespace test::item_size_test {
namespace {

constexpr std::size_t item_limit = 409'600;
constexpr std::size_t key_bytes = 3;  // of `pk` with the value "a"

const std::string item_too_large = "Item size has exceeded the maximum allowed size";
const std::string update_too_large = "Item size to update has exceeded the maximum allowed size";

std::string nines(std::size_t count) {
  return std::string(count, '9');
}

/// An item with `v` as given and `f` of `filler` bytes.
std::string filled(std::string_view v, std::size_t filler) {
  return R"("Item":{"pk":{"S":"a"},"v":)" + std::string(v) + R"(,"f":{"S":")" + std::string(filler, 'f') +
         R"("}})";
}

/// `value` counts exactly `bytes`: an item with it is stored at the limit and refused one byte past it.
void check_size(std::string_view value, std::size_t bytes) {
  INFO(std::string(value).substr(0, 100) << " of " << bytes << " bytes");
  DynamoDb db;
  db.create_table(test::the_table);
  const std::size_t filler = item_limit - key_bytes - 1 - bytes - 1;
  test::ok_item(db, "PutItem", filled(value, filler));
  test::check_refusal(db, {"PutItem", filled(value, filler + 1), item_too_large});
}

void check_number_size(const std::string& text, std::size_t bytes) {
  check_size(R"({"N":")" + text + R"("})", bytes);
}

}  // namespace

TEST_CASE("an item may have 409600 bytes, names included") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto item = [](const std::string& name, std::size_t bytes) {
    return R"("Item":{"pk":{"S":"a"},")" + name + R"(":{"S":")" + std::string(bytes, 'x') + R"("}})";
  };
  for (const std::string& name :
       {std::string("n"), std::string("a longer name"), std::string("\xc3\xa9t\xc3\xa9")}) {
    const std::size_t most = item_limit - key_bytes - name.size();
    test::ok_item(db, "PutItem", item(name, most));
    test::check_refusal(db, {"PutItem", item(name, most + 1), item_too_large});
  }
}

TEST_CASE("each type has its bytes", "[same on every engine]") {
  check_size(R"({"S":""})", 0);
  check_size(R"({"S":"abc"})", 3);
  check_size(R"({"S":"\u00e9"})", 2);
  check_size(R"({"S":"\ud83d\ude00"})", 4);
  check_size(R"({"B":""})", 0);
  check_size(R"({"B":"AAEC"})", 3);
  check_size(R"({"BOOL":true})", 1);
  check_size(R"({"NULL":true})", 1);
  check_size(R"({"SS":["a","bcd"]})", 4);
  check_size(R"({"BS":["AA==","AAEC"]})", 4);
  check_size(R"({"NS":["1","123","0"]})", 6);
  check_size(R"({"L":[]})", 3);
  check_size(R"({"L":[{"S":"ab"},{"BOOL":false}]})", 3 + (1 + 2) + (1 + 1));
  check_size(R"({"M":{}})", 3);
  check_size(R"({"M":{"key":{"S":"ab"},"\u00e9":{"N":"1"}}})", 3 + (1 + 3 + 2) + (1 + 2 + 2));
  check_size(R"({"L":[{"M":{"l":{"L":[]}}}]})", 3 + 1 + (3 + 1 + 1 + 3));
}

TEST_CASE("numbers are counted by pairs of digits from the point outward", "[same on every engine]") {
  for (const std::string_view zero : {"0", "-0", "0.0"}) check_number_size(std::string(zero), 1);
  for (const std::string_view text :
       {"1", "12", "0042", "100", "15", "0.15", "0.0000001", "1E125", "1E-100"}) {
    check_number_size(std::string(text), 2);
  }
  for (const std::string_view text : {"123", "1234", "1010", "1.5", "1.2", "1.200", "-42"}) {
    check_number_size(std::string(text), 3);
  }
  for (const std::string_view text : {"123456", "1.234", "100.5"}) check_number_size(std::string(text), 4);
  check_number_size("3.14159", 5);
  check_number_size(nines(38), 20);
}

TEST_CASE("how long its numbers are when they are written out does not matter", "[same on every engine]") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::size_t most = (item_limit - key_bytes - 1 - 3) / (1 + 2);
  const auto smallest_numbers = [](std::size_t count) {
    std::string list = R"({"N":"1e-130"})";
    for (std::size_t i = 1; i < count; ++i) list += R"(,{"N":"1e-130"})";
    return R"("l":{"L":[)" + list + "]}";
  };
  test::store_item(db, smallest_numbers(most));
  const std::string stored = test::call_item(db, "GetItem").body;
  const std::string number = R"({"N":"0.)" + std::string(129, '0') + R"(1"})";
  CHECK(stored.size() > 45 * item_limit);
  CHECK(stored.starts_with(R"({"Item":{"l":{"L":[)" + number + "," + number));
  CHECK(stored.ends_with(number + R"(]},"pk":{"S":"a"}}})"));
  test::check_refusal(
      db, {"PutItem", R"("Item":{"pk":{"S":"a"},)" + smallest_numbers(most + 1) + "}", item_too_large});

  test::ok_item(db, "UpdateItem", test::update("REMOVE l[0]"));
  test::ok_item(db, "UpdateItem",
                test::update("SET l = list_append(l, :l)", R"(":l":{"L":[{"N":"1e-130"}]})"));
  CHECK(test::call_item(db, "GetItem").body == stored);
}

TEST_CASE("an item that is too large is refused ahead of a condition that would fail, after its key") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string large = filled(R"({"S":""})", item_limit);
  test::check_refusal(
      db, {"PutItem", large + R"~(,"ConditionExpression":"attribute_exists(pk)")~", item_too_large});
  test::check_refusal(db, {"PutItem", R"("Item":{"f":{"S":")" + std::string(item_limit, 'f') + R"("}})",
                           test::invalid("Missing the key pk in the item")});
}

TEST_CASE("AttributeUpdates are measured by the finished item alone") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto put_f = [](std::size_t bytes) {
    return R"("AttributeUpdates":{"f":{"Value":{"S":")" + std::string(bytes, 'f') + R"("}}})";
  };
  const std::size_t most = item_limit - key_bytes - 1;
  test::ok_item(db, "UpdateItem", put_f(most));
  test::check_refusal(db, {"UpdateItem", put_f(most + 1), update_too_large});
}

TEST_CASE("one SET makes an item of 409581 bytes at most when the key is short") {
  DynamoDb db;
  db.create_table(test::the_table);
  const auto set_b = [](std::size_t bytes) {
    return R"("UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"S":")" +
           std::string(bytes, 'x') + R"("}})";
  };
  const std::size_t most = 409'581 - key_bytes - 1;
  test::ok_item(db, "UpdateItem", set_b(most));
  test::check_refusal(db, {"UpdateItem", set_b(most + 1), update_too_large});
}

TEST_CASE("one SET makes an item of 409600 bytes when the key value has 20 or more") {
  for (const std::size_t key : {20U, 21U, 100U}) {
    DynamoDb db;
    db.create_table(test::the_table);
    const auto set_b = [&](std::size_t bytes) {
      return R"("Key":{"pk":{"S":")" + std::string(key, 'k') + R"("}},"UpdateExpression":"SET b = :v",
          "ExpressionAttributeValues":{":v":{"S":")" +
             std::string(bytes, 'x') + R"("}})";
    };
    const std::size_t most = item_limit - 2 - key - 1;
    test::ok_item(db, "UpdateItem", set_b(most));
    test::check_refusal(db, {"UpdateItem", set_b(most + 1), update_too_large});
  }
}

TEST_CASE("the finished item counts what an update leaves alone") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("old":{"S":")" + std::string(300'000, 'o') + R"("})");
  const auto set_b = [](std::size_t bytes) {
    return R"("UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"S":")" +
           std::string(bytes, 'x') + R"("}})";
  };
  const std::size_t most = item_limit - key_bytes - 3 - 300'000 - 1;
  test::check_refusal(db, {"UpdateItem", set_b(most + 1), update_too_large});
  test::ok_item(db, "UpdateItem", set_b(most));
}

}  // namespace test::item_size_test
