#include "support/tables.h"

#include <sstream>
#include <utility>

#include <catch2/catch.hpp>

namespace test {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

NewIndex new_index(std::string_view kind, std::string_view name, std::string_view hash,
                   std::string_view range, const Json& projection) {
  Json schema = Json::array();
  for (const std::string& attribute : words(hash)) schema.push_back(key(attribute, "HASH"));
  for (const std::string& attribute : words(range)) schema.push_back(key(attribute, "RANGE"));
  Json definition = index_on(name, std::move(schema));
  if (!projection.is_null()) definition["Projection"] = projection;
  return {kind, std::move(definition)};
}

}  // namespace

Json key(std::string_view name, std::string_view role) {
  return {{"AttributeName", name}, {"KeyType", role}};
}

Json attribute(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"AttributeType", type}};
}

Json units(int read, int write) {
  return {{"ReadCapacityUnits", read}, {"WriteCapacityUnits", write}};
}

Json on_demand(std::string_view name) {
  return {{"TableName", name},
          {"BillingMode", "PAY_PER_REQUEST"},
          {"KeySchema", Json::array({key("pk", "HASH")})},
          {"AttributeDefinitions", Json::array({attribute("pk", "S")})}};
}

Json provisioned(std::string_view name) {
  return {{"TableName", name},
          {"ProvisionedThroughput", units(5, 5)},
          {"KeySchema", Json::array({key("pk", "HASH")})},
          {"AttributeDefinitions", Json::array({attribute("pk", "S")})}};
}

Json with_range(std::string_view name) {
  Json request = on_demand(name);
  request["KeySchema"].push_back(key("sk", "RANGE"));
  for (const char* defined : {"sk", "a", "b"})
    request["AttributeDefinitions"].push_back(attribute(defined, "S"));
  return request;
}

Json index_on(std::string_view name, Json key_schema) {
  return {
      {"IndexName", name}, {"KeySchema", std::move(key_schema)}, {"Projection", {{"ProjectionType", "ALL"}}}};
}

Json keys_only() {
  return {{"ProjectionType", "KEYS_ONLY"}};
}

Json including(std::initializer_list<std::string_view> attributes) {
  return {{"ProjectionType", "INCLUDE"},
          {"NonKeyAttributes", std::vector<std::string>(attributes.begin(), attributes.end())}};
}

NewIndex global_index(std::string_view name, std::string_view hash, std::string_view range,
                      const Json& projection) {
  return new_index("GlobalSecondaryIndexes", name, hash, range, projection);
}

NewIndex local_index(std::string_view name, std::string_view range, const Json& projection) {
  return new_index("LocalSecondaryIndexes", name, "pk", range, projection);
}

Json table_request(std::string_view name, std::string_view key_attributes, std::string_view others,
                   const std::vector<NewIndex>& indexes) {
  Json request = {{"TableName", name},
                  {"BillingMode", "PAY_PER_REQUEST"},
                  {"KeySchema", Json::array()},
                  {"AttributeDefinitions", Json::array()}};
  const auto define = [&](const std::string& word) {
    const std::size_t colon = word.find(':');
    const std::string type = colon == std::string::npos ? "S" : word.substr(colon + 1);
    request["AttributeDefinitions"].push_back(attribute(word.substr(0, colon), type));
    return word.substr(0, colon);
  };
  for (const std::string& word : words(key_attributes))
    request["KeySchema"].push_back(key(define(word), request["KeySchema"].empty() ? "HASH" : "RANGE"));
  for (const std::string& word : words(others)) define(word);
  for (const NewIndex& index : indexes) request[std::string(index.kind)].push_back(index.definition);
  return request;
}

void create_music(DynamoDb& db) {
  db.ok("CreateTable", {{"TableName", "Music"},
                        {"BillingMode", "PAY_PER_REQUEST"},
                        {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}},
                        {"KeySchema", {key("Artist", "HASH"), key("Year", "RANGE")}},
                        {"AttributeDefinitions", {attribute("Artist", "S"), attribute("Year", "N")}}});
  db.put("Music", {{"Artist", {{"S", "Nina Simone"}}},
                   {"Year", {{"N", "1965"}}},
                   {"Title", {{"S", "Pastel Blues"}}},
                   {"Sold", {{"N", "100"}}},
                   {"Genres", {{"SS", {"blues", "jazz"}}}}});
  db.put("Music", {{"Artist", {{"S", "Fela Kuti"}}},
                   {"Year", {{"N", "1976"}}},
                   {"Title", {{"S", "Zombie"}}},
                   {"Tracks", {{"L", {{{"S", "Zombie"}}, {{"S", "Mr Follow Follow"}}}}}}});
}

Json with(Json request, const Json& changes) {
  request.merge_patch(changes);
  return request;
}

void check_refused(DynamoDb& db, std::string_view operation, const Json& request, const std::string& message,
                   std::string_view error) {
  const Reply reply = db.call(operation, request);
  INFO(operation << " " << request.dump() << " -> " << reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == error);
  CHECK(reply.message() == message);
}

void check_refused(DynamoDb& db, std::string_view operation, const Json& request) {
  const Reply reply = db.call(operation, request);
  INFO(operation << " " << request.dump() << " -> " << reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ValidationException");
  CHECK(!reply.message().empty());
}

Json describe(DynamoDb& db, std::string_view table) {
  return db.ok("DescribeTable", {{"TableName", table}}).at("Table");
}

}  // namespace test
