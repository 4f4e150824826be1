#pragma once

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/partiql/parse/parser.h"

namespace dinette::dynamodb::partiql {

/// Returns true for what is written as a value: text, numbers, true, false, NULL, lists, sets, maps.
bool is_literal(NodeKind kind);

/// Returns the value of the node, a literal, after checking the rules of values (docs/service/partiql.md
/// section 1, "Literals").
Checked<model::AttributeValue> literal(const Tree& tree, NodeId id);

/// The refusal of what is not a value where one must be: `place` is the path within the literal, from `root`.
base::Failure<std::string> unsupported_data(const Tree& tree, const Node& node, const std::string& place);

}  // namespace dinette::dynamodb::partiql
