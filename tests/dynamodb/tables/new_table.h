#pragma once

#include <string>

#include "support/tables.h"

/// What the tests of CreateTable say over and over. A refused table is not there afterwards.
namespace test {

Json create(DynamoDb& db, const Json& request);

void create_refused(const Json& request, const std::string& message);

/// Shape only.
void create_refused(const Json& request);

/// The error for a value that violates a constraint of the model.
std::string constraint(const std::string& value, const std::string& path, const std::string& sentence);

Json with_globals(Json indexes);
Json with_locals(Json indexes);

/// A table whose attributes `a` and `b` are used by a global index of that projection.
Json projecting(const Json& projection);

}  // namespace test
