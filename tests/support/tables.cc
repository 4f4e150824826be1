#include "support/tables.h"

#include <catch2/catch.hpp>

namespace test {

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
