#pragma once

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// Returns plain JSON as an attribute value of DynamoDB: a text is S, a number N, a list L, a map M.
Node attribute_value(const Node& plain);

/// Returns the members of a plain map, each as its attribute_value.
Node attribute_values(const Node& plain_item);

/// Returns the members of a map of attribute values. Plain JSON that is among them, at any depth, is
/// converted, and `converted` becomes true.
Node completed_item(const Node& item, bool& converted);

}  // namespace dinette::definitions
