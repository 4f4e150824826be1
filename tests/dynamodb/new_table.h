#pragma once

#include <string>

#include "support/tables.h"

/// What the tests of CreateTable say over and over. A refused table is not there afterwards.
namespace test {

inline Json create(DynamoDb& db, const Json& request) {
  return db.ok("CreateTable", request).at("TableDescription");
}

inline void create_refused(const Json& request, const std::string& message) {
  DynamoDb db;
  check_refused(db, "CreateTable", request, message);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
}

/// Shape only.
inline void create_refused(const Json& request) {
  DynamoDb db;
  check_refused(db, "CreateTable", request);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
}

/// What a value that violates a constraint of the model is told.
inline std::string constraint(const std::string& value, const std::string& path,
                              const std::string& sentence) {
  return enveloped("Value '" + value + "' at '" + path + "' failed to satisfy constraint: " + sentence);
}

inline Json with_globals(Json indexes) {
  return with(with_range(), {{"GlobalSecondaryIndexes", std::move(indexes)}});
}
inline Json with_locals(Json indexes) {
  return with(with_range(), {{"LocalSecondaryIndexes", std::move(indexes)}});
}

/// A table whose attributes `a` and `b` are used by a global index of that projection.
inline Json projecting(const Json& projection) {
  Json global = index_on("byA", {key("a", "HASH"), key("b", "RANGE")});
  global["Projection"] = projection;
  return with_globals(Json::array({global}));
}

}  // namespace test
