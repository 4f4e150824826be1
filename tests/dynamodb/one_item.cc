#include "dynamodb/one_item.h"

#include <catch2/catch.hpp>

namespace test {

std::string about_one_item(std::string_view operation, std::string_view members) {
  using Ordered = nlohmann::ordered_json;
  Ordered request = {{"TableName", the_table}};
  const bool about_many = operation == "Query" || operation == "Scan";
  if (!about_many) request[operation == "PutItem" ? "Item" : "Key"] = {{"pk", {{"S", "a"}}}};
  const Ordered given = Ordered::parse("{" + std::string(members) + "}");
  for (const auto& [name, value] : given.items()) request[name] = value;
  return request.dump();
}

std::string expression(std::string_view kind, std::string_view text, std::string_view values,
                       std::string_view names) {
  std::string members = '"' + std::string(kind) + "Expression\": " + Json(text).dump();
  if (!values.empty()) members += R"(, "ExpressionAttributeValues": {)" + std::string(values) + "}";
  if (!names.empty()) members += R"(, "ExpressionAttributeNames": {)" + std::string(names) + "}";
  return members;
}

std::string condition(std::string_view text, std::string_view values, std::string_view names) {
  return expression("Condition", text, values, names);
}

std::string update(std::string_view text, std::string_view values, std::string_view names) {
  return expression("Update", text, values, names);
}

std::string projection(std::string_view text, std::string_view names) {
  return expression("Projection", text, "", names);
}

Reply call_item(DynamoDb& db, std::string_view operation, std::string_view members) {
  return db.call(operation, std::string_view(about_one_item(operation, members)));
}

Json ok_item(DynamoDb& db, std::string_view operation, std::string_view members) {
  const Reply reply = call_item(db, operation, members);
  INFO(operation << " " << members << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.json();
}

void store_item(DynamoDb& db, std::string_view attributes) {
  Json item = Json::parse("{" + std::string(attributes) + "}");
  item.update(key_a);
  db.put(the_table, item);
}

Json stored_attributes(DynamoDb& db) {
  Json item = db.get(the_table, key_a);
  if (!item.is_null()) item.erase("pk");
  return item;
}

void check_refusal(DynamoDb& db, const Refusal& refusal) {
  const Reply reply = call_item(db, refusal.operation, refusal.members);
  INFO(refusal.operation << " " << refusal.members.substr(0, 2000) << " -> " << reply.status);
  REQUIRE(reply.status == 400);
  CHECK(reply.error() == "ValidationException");
  CHECK(reply.message() == refusal.message);
}

void check_refusals(DynamoDb& db, std::initializer_list<Refusal> refusals) {
  for (const Refusal& refusal : refusals) check_refusal(db, refusal);
}

void check_condition_failed(const Reply& reply) {
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ConditionalCheckFailedException");
  CHECK(reply.message() == "The conditional request failed");
}

bool condition_holds(DynamoDb& db, std::string_view members) {
  const Reply reply = call_item(db, "UpdateItem", members);
  INFO(members << " -> " << reply.body);
  if (reply.status != 200) check_condition_failed(reply);
  return reply.status == 200;
}

}  // namespace test
