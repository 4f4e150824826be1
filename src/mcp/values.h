#pragma once

#include <string>

#include "mcp/json.h"

namespace dinette::mcp {

/// Returns an attribute value as DynamoDB has it. `value` is either that already, an object whose only member
/// is named as a type is and fits it ({"N": "5"}, {"SS": ["a"]}), or plain JSON. Within lists and maps, too,
/// each value may be either.
Json typed_value(const Json& value);

/// Returns the members of an object, each as a typed_value.
Json typed_members(const Json& object);

/// Returns an attribute value of DynamoDB as plain JSON. Sets, binary values, and numbers of more than 15
/// digits stay as they are, and so does a map that would be read as one of these: typed_value of the result
/// is the value again.
Json plain_value(const Json& typed);

/// Returns the members of an item, each as a plain_value.
Json plain_members(const Json& item);

}  // namespace dinette::mcp
