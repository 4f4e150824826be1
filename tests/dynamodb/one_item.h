#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

/// Tests about one item: the item with `pk` "a" of the table `the_table`. Requests are written as the members
/// that matter; what they leave out is filled in, and their members stand in the order written.
namespace test {

inline constexpr std::string_view the_table = "Tab";  // the service wants three characters

inline const Json key_a = {{"pk", {{"S", "a"}}}};

/// The body of a request about that item. `members` is JSON without the outer braces; a null takes a member
/// away.
inline std::string about_one_item(std::string_view operation, std::string_view members) {
  using Ordered = nlohmann::ordered_json;
  Ordered request = {{"TableName", the_table}};
  request[operation == "PutItem" ? "Item" : "Key"] = {{"pk", {{"S", "a"}}}};
  const Ordered given = Ordered::parse("{" + std::string(members) + "}");
  for (const auto& [name, value] : given.items()) request[name] = value;
  return request.dump();
}

/// An expression as members of a request; `values` and `names` are JSON without the outer braces.
inline std::string expression(std::string_view kind, std::string_view text, std::string_view values = "",
                              std::string_view names = "") {
  std::string members = '"' + std::string(kind) + "Expression\": " + Json(text).dump();
  if (!values.empty()) members += R"(, "ExpressionAttributeValues": {)" + std::string(values) + "}";
  if (!names.empty()) members += R"(, "ExpressionAttributeNames": {)" + std::string(names) + "}";
  return members;
}
inline std::string condition(std::string_view text, std::string_view values = "",
                             std::string_view names = "") {
  return expression("Condition", text, values, names);
}
inline std::string update(std::string_view text, std::string_view values = "", std::string_view names = "") {
  return expression("Update", text, values, names);
}
inline std::string projection(std::string_view text, std::string_view names = "") {
  return expression("Projection", text, "", names);
}

inline Reply call_item(DynamoDb& db, std::string_view operation, std::string_view members = "") {
  return db.call(operation, std::string_view(about_one_item(operation, members)));
}

/// The same where the test needs success.
inline Json ok_item(DynamoDb& db, std::string_view operation, std::string_view members = "") {
  const Reply reply = call_item(db, operation, members);
  INFO(operation << " " << members << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.json();
}

/// Stores the item with these attributes beside its key; `attributes` is JSON without the outer braces.
inline void store_item(DynamoDb& db, std::string_view attributes) {
  Json item = Json::parse("{" + std::string(attributes) + "}");
  item.update(key_a);
  db.put(the_table, item);
}

/// The stored item's attributes beside its key; null when there is no item.
inline Json stored_attributes(DynamoDb& db) {
  Json item = db.get(the_table, key_a);
  if (!item.is_null()) item.erase("pk");
  return item;
}

/// A request that the service refuses with a ValidationException of exactly this message.
struct Refusal {
  std::string_view operation;
  std::string members;
  std::string message;
};

inline void check_refusal(DynamoDb& db, const Refusal& refusal) {
  const Reply reply = call_item(db, refusal.operation, refusal.members);
  INFO(refusal.operation << " " << refusal.members.substr(0, 2000) << " -> " << reply.status);
  REQUIRE(reply.status == 400);
  CHECK(reply.error() == "ValidationException");
  CHECK(reply.message() == refusal.message);
}

inline void check_refusals(DynamoDb& db, std::initializer_list<Refusal> refusals) {
  for (const Refusal& refusal : refusals) check_refusal(db, refusal);
}

/// The item's write was refused because its condition does not hold.
inline void check_condition_failed(const Reply& reply) {
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ConditionalCheckFailedException");
  CHECK(reply.message() == "The conditional request failed");
}

/// Whether the condition among `members` holds for what is stored, found out by an UpdateItem.
inline bool condition_holds(DynamoDb& db, std::string_view members) {
  const Reply reply = call_item(db, "UpdateItem", members);
  INFO(members << " -> " << reply.body);
  if (reply.status != 200) check_condition_failed(reply);
  return reply.status == 200;
}

}  // namespace test
