#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// Converts the scalars of an operation's input to the JSON types that its members have: "5" to a number
/// where a member is an integer, "true", "yes" and "on" (unquoted) to a boolean, 5 to a text where a name or
/// a value of a tag is one. What cannot be converted is an error that names the member and the place:
/// `table "Orders", ProvisionedThroughput.ReadCapacityUnits: "many" is no integer`.
/// Returns false if there was one; it is then in `to.errors`.
bool convert_members(Node& input, std::string_view table, Definitions& to);

/// Checks what every format has to fulfil before a table can be created: a name, a KeySchema,
/// AttributeDefinitions; drops empty lists that the service refuses (NonKeyAttributes). Adds the table to
/// `to.tables`, or its error to `to.errors`. A table of that name that is there already is an error.
void add_table(TableDefinition table, Definitions& to);

}  // namespace dinette::definitions
