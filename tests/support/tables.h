#pragma once

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

/// What the tests of table operations say over and over: parts of CreateTable requests, and refusals.
namespace test {

inline Json key(std::string_view name, std::string_view role) {
  return {{"AttributeName", name}, {"KeyType", role}};
}

inline Json attribute(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"AttributeType", type}};
}

inline Json units(int read, int write) {
  return {{"ReadCapacityUnits", read}, {"WriteCapacityUnits", write}};
}

/// An on-demand table with the hash key `pk` (S).
inline Json on_demand(std::string_view name = "Music") {
  return {{"TableName", name},
          {"BillingMode", "PAY_PER_REQUEST"},
          {"KeySchema", Json::array({key("pk", "HASH")})},
          {"AttributeDefinitions", Json::array({attribute("pk", "S")})}};
}

/// A provisioned table of 5 and 5 units with the hash key `pk` (S).
inline Json provisioned(std::string_view name = "Music") {
  return {{"TableName", name},
          {"ProvisionedThroughput", units(5, 5)},
          {"KeySchema", Json::array({key("pk", "HASH")})},
          {"AttributeDefinitions", Json::array({attribute("pk", "S")})}};
}

/// An on-demand table with `pk` (S) and `sk` (S), and the attributes `a` and `b` (S) defined for indexes.
inline Json with_range(std::string_view name = "Music") {
  Json request = on_demand(name);
  request["KeySchema"].push_back(key("sk", "RANGE"));
  for (const char* defined : {"sk", "a", "b"})
    request["AttributeDefinitions"].push_back(attribute(defined, "S"));
  return request;
}

/// An index that projects everything.
inline Json index_on(std::string_view name, Json key_schema) {
  return {
      {"IndexName", name}, {"KeySchema", std::move(key_schema)}, {"Projection", {{"ProjectionType", "ALL"}}}};
}

/// `request` with the members of `changes` put in; null takes one out.
inline Json with(Json request, const Json& changes) {
  request.merge_patch(changes);
  return request;
}

/// The request is refused with this sentence.
inline void check_refused(DynamoDb& db, std::string_view operation, const Json& request,
                          const std::string& message, std::string_view error = "ValidationException") {
  const Reply reply = db.call(operation, request);
  INFO(operation << " " << request.dump() << " -> " << reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == error);
  CHECK(reply.message() == message);
}

/// The same where the facts know only the error's kind ("shape only"): a ValidationException that says
/// something.
inline void check_refused(DynamoDb& db, std::string_view operation, const Json& request) {
  const Reply reply = db.call(operation, request);
  INFO(operation << " " << request.dump() << " -> " << reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ValidationException");
  CHECK(!reply.message().empty());
}

inline Json describe(DynamoDb& db, std::string_view table = "Music") {
  return db.ok("DescribeTable", {{"TableName", table}}).at("Table");
}

}  // namespace test
