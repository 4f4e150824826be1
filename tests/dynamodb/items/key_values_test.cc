#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// docs/service/values.md sections 1, 4 and 6, items.md section 3.
namespace test::key_values_test {
namespace {

struct Sizes {
  std::size_t hash;
  std::size_t range;
  bool accepted;
};

constexpr Sizes all_sizes[] = {{1, 1, true}, {2048, 1024, true}, {2049, 1, false}, {1, 1025, false}};

std::string key_member(std::string_view operation, const Json& key) {
  return (operation == "PutItem" ? R"("Item":)" : R"("Key":)") + key.dump();
}

void check_sizes(DynamoDb& db, const Json& key, bool accepted) {
  for (const std::string_view operation : {"PutItem", "GetItem", "UpdateItem", "DeleteItem"}) {
    const auto reply = test::call_item(db, operation, key_member(operation, key));
    CHECK(reply.error() == (accepted ? "" : "ValidationException"));
  }
}

/// `bytes` zero bytes in base64.
std::string zeros(std::size_t bytes) {
  std::string text(bytes / 3 * 4, 'A');
  if (bytes % 3 == 1) text += "AA==";
  if (bytes % 3 == 2) text += "AAA=";
  return text;
}

}  // namespace

TEST_CASE("a partition key has 1 to 2048 bytes and a sort key 1 to 1024, on writes and reads") {
  DynamoDb strings;
  strings.create_table(test::the_table, "S", "S");
  DynamoDb binaries;
  binaries.create_table(test::the_table, "B", "B");
  for (const auto& [hash, range, accepted] : all_sizes) {
    INFO("hash key of " << hash << " bytes, range key of " << range);
    check_sizes(strings, {{"pk", {{"S", std::string(hash, 'h')}}}, {"sk", {{"S", std::string(range, 'r')}}}},
                accepted);
    check_sizes(binaries, {{"pk", {{"B", zeros(hash)}}}, {"sk", {{"B", zeros(range)}}}}, accepted);
  }
}

TEST_CASE("key values are measured in bytes of UTF-8") {
  DynamoDb db;
  db.create_table(test::the_table);
  std::string text;
  for (int i = 0; i < 1024; ++i) text += "\xc3\xa9";
  check_sizes(db, {{"pk", {{"S", text}}}}, true);
  check_sizes(db, {{"pk", {{"S", text + "x"}}}}, false);
}

TEST_CASE("a key value has the type of the schema") {
  DynamoDb db;
  db.create_table(test::the_table);
  for (const auto& [type, value] :
       std::initializer_list<std::pair<std::string, std::string>>{{"N", R"({"N":"1"})"},
                                                                  {"B", R"({"B":"AA=="})"},
                                                                  {"BOOL", R"({"BOOL":true})"},
                                                                  {"NULL", R"({"NULL":true})"},
                                                                  {"L", R"({"L":[]})"},
                                                                  {"M", R"({"M":{}})"},
                                                                  {"SS", R"({"SS":["a"]})"},
                                                                  {"NS", R"({"NS":["1"]})"},
                                                                  {"BS", R"({"BS":["AA=="]})"}}) {
    const std::string mismatch = "The provided key element does not match the schema";
    const std::string key = R"("Key":{"pk":)" + value + "}";
    test::check_refusals(db, {{"PutItem", R"("Item":{"pk":)" + value + "}",
                               test::invalid("Type mismatch for key pk expected: S actual: " + type)},
                              {"GetItem", key, mismatch},
                              {"UpdateItem", key, mismatch},
                              {"DeleteItem", key, mismatch}});
  }
}

TEST_CASE("a key names every key attribute and nothing else") {
  DynamoDb db;
  db.create_table(test::the_table, "S", "N");
  for (const std::string_view key :
       {R"({})", R"({"pk":{"S":"a"}})", R"({"sk":{"N":"1"}})", R"({"pk":{"S":"a"},"sk":{"S":"1"}})",
        R"({"pk":{"S":"a"},"sk":{"N":"1"},"x":{"S":"b"}})", R"({"pk":{"S":"a"},"x":{"N":"1"}})"}) {
    for (const std::string_view operation : {"GetItem", "UpdateItem", "DeleteItem"}) {
      test::check_refusal(db, {operation, R"("Key":)" + std::string(key),
                               "The provided key element does not match the schema"});
    }
  }
  test::check_refusals(
      db, {{"PutItem", R"("Item":{"pk":{"S":"a"}})", test::invalid("Missing the key sk in the item")},
           {"PutItem", R"("Item":{"sk":{"N":"1"}})", test::invalid("Missing the key pk in the item")}});
}

TEST_CASE("binary keys come back as the same bytes") {
  DynamoDb db;
  db.create_table(test::the_table, "B");
  for (const std::string_view bytes : {"AA==", "/w==", "AAE=", "+/8A"}) {
    const Json key = {{"pk", {{"B", bytes}}}};
    db.put(test::the_table, key);
    CHECK(db.get(test::the_table, key) == key);
  }
}

}  // namespace test::key_values_test
