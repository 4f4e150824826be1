#pragma once

#include <optional>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/grammar/cursor.h"

namespace dinette::cql::grammar {

/// Reads a statement about keyspaces, tables, types and what else has no rows
/// (docs/service-keyspaces/grammar.md sections 2 and 3). Fills in the statement's value.
Answer<void> read_definition(Cursor& in, Statement& out);

/// Reads the properties after WITH, with what tables have in addition.
Answer<TableProperties> read_properties(Cursor& in);
/// Reads a map of properties.
Answer<PropertyValue> read_property_map(Cursor& in);

}  // namespace dinette::cql::grammar
