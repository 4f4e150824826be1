#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "support/tables.h"

// An item counts together with its entries in local indexes (docs/service/values.md section 6, "Other size
// limits").
namespace test::local_entry_size_test {
namespace {

constexpr std::size_t item_limit = 409'600;
constexpr std::size_t key_bytes = 3 + 3;  // of `pk` "a" and `sk` "s"

const std::string key_part = R"("pk": {"S": "a"}, "sk": {"S": "s"})";
const std::string item_too_large = "Item size has exceeded the maximum allowed size";
const std::string update_too_large = "Item size to update has exceeded the maximum allowed size";

/// Local indexes: all, on a, of everything; some, on b, with x. A global one of everything, on g.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "a b g",
                                     {global_index("global", "g"), local_index("all", "a"),
                                      local_index("some", "b", including({"x"}))}));
}

/// Attributes, as JSON with a comma in front; what they count, with names; and up to how many bytes an item
/// may have that has them.
struct Attributes {
  std::string json;
  std::size_t bytes;
  std::size_t most;
};

const std::vector<Attributes> cases = {
    {R"(, "x": {"S": "1234"}, "g": {"S": "1"})", 7, item_limit},
    {R"(, "a": {"S": "1"})", 2, item_limit / 2},
    {R"(, "b": {"S": "1"})", 2, item_limit - key_bytes - 2},
    {R"(, "b": {"S": "1"}, "x": {"S": "1234"})", 7, item_limit - key_bytes - 7},
    {R"(, "a": {"S": "1"}, "b": {"S": "1"}, "x": {"S": "1234"})", 9, (item_limit - key_bytes - 7) / 2},
};

/// The filler of an item of `bytes` that has such attributes next to it, as JSON.
std::string filler(const Attributes& attributes, std::size_t bytes) {
  return R"({"S": ")" + std::string(bytes - key_bytes - attributes.bytes - 1, 'f') + R"("})";
}

std::string item(const Attributes& attributes, std::size_t bytes) {
  return "{" + key_part + attributes.json + R"(, "f": )" + filler(attributes, bytes) + "}";
}

}  // namespace

TEST_CASE("an item counts with its entries in local indexes when it is put") {
  for (const Attributes& attributes : cases) {
    INFO(attributes.json);
    DynamoDb db;
    make_table(db);
    const auto put = [&](std::size_t bytes) { return R"("Item": )" + item(attributes, bytes); };
    check_refusal(db, {"PutItem", put(attributes.most + 1), item_too_large});
    // Ahead of a condition that would fail, as without local indexes.
    check_refusal(
        db, {"PutItem", put(attributes.most + 1) + ", " + condition("attribute_exists(pk)"), item_too_large});
    ok_item(db, "PutItem", put(attributes.most));
  }
}

TEST_CASE("an item that is too large with its entries in local indexes refuses the whole BatchWriteItem") {
  const Attributes& in_both = cases.back();
  DynamoDb db;
  make_table(db);
  const auto write = [&](std::size_t bytes) {
    return R"({"RequestItems": {"Tab": [
        {"PutRequest": {"Item": {"pk": {"S": "other"}, "sk": {"S": "s"}}}},
        {"PutRequest": {"Item": )" +
           item(in_both, bytes) + "}}]}}";
  };
  CHECK(db.call("BatchWriteItem", write(in_both.most + 1)).refusal() == item_too_large);
  CHECK(db.get("Tab", Json::parse(R"({"pk": {"S": "other"}, "sk": {"S": "s"}})")).is_null());
  CHECK(db.call("BatchWriteItem", write(in_both.most)).status == 200);
}

TEST_CASE("an item counts with its entries in local indexes when it is updated") {
  const std::string key = R"("Key": {)" + key_part + "}, ";
  for (const Attributes& attributes : cases) {
    INFO(attributes.json);
    DynamoDb db;
    make_table(db);
    ok_item(db, "PutItem", R"("Item": {)" + key_part + attributes.json + "}");
    const auto put = [&](std::size_t bytes) {
      return key + R"("AttributeUpdates": {"f": {"Value": )" + filler(attributes, bytes) + "}}";
    };
    check_refusal(db, {"UpdateItem", put(attributes.most + 1), update_too_large});
    ok_item(db, "UpdateItem", put(attributes.most));
  }
}

TEST_CASE("an update may take an item out of a local index to make room, and not into one without") {
  DynamoDb db;
  make_table(db);
  const Attributes& in_all = cases[1];
  const std::string key = R"("Key": {)" + key_part + "}, ";
  const std::string empty = R"(":v": {"S": ""})";
  const std::string one = R"(":v": {"S": "1"})";
  ok_item(db, "PutItem", R"("Item": )" + item(in_all, in_all.most));
  check_refusal(db, {"UpdateItem", key + update("SET y = :v", empty), update_too_large});
  ok_item(db, "UpdateItem", key + update("REMOVE a SET y = :v", empty));
  check_refusal(db, {"UpdateItem", key + update("SET a = :v", one), update_too_large});
}

}  // namespace test::local_entry_size_test
