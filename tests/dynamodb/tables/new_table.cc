#include "dynamodb/tables/new_table.h"

#include <catch2/catch.hpp>

namespace test {

Json create(DynamoDb& db, const Json& request) {
  return db.ok("CreateTable", request).at("TableDescription");
}

void create_refused(const Json& request, const std::string& message) {
  DynamoDb db;
  check_refused(db, "CreateTable", request, message);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
}

void create_refused(const Json& request) {
  DynamoDb db;
  check_refused(db, "CreateTable", request);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
}

std::string constraint(const std::string& value, const std::string& path, const std::string& sentence) {
  return enveloped("Value '" + value + "' at '" + path + "' failed to satisfy constraint: " + sentence);
}

Json with_globals(Json indexes) {
  return with(with_range(), {{"GlobalSecondaryIndexes", std::move(indexes)}});
}

Json with_locals(Json indexes) {
  return with(with_range(), {{"LocalSecondaryIndexes", std::move(indexes)}});
}

Json projecting(const Json& projection) {
  Json global = index_on("byA", {key("a", "HASH"), key("b", "RANGE")});
  global["Projection"] = projection;
  return with_globals(Json::array({global}));
}

}  // namespace test
