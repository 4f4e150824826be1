#pragma once

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/grammar/cursor.h"

/// Statements about rows (docs/service-keyspaces/grammar.md section 4). Each is read from its first keyword.
namespace dinette::cql::grammar {

Answer<Select> read_select(Cursor& in);
Answer<Insert> read_insert(Cursor& in);
Answer<Update> read_update(Cursor& in);
Answer<Delete> read_delete(Cursor& in);
Answer<Batch> read_batch(Cursor& in);

/// Reads a column, an element or a field of it.
Answer<ColumnPart> read_column_part(Cursor& in);
/// Reads IF EXISTS or IF with conditions, if that comes next.
Answer<Conditions> read_conditions(Cursor& in);
/// Reads a WHERE clause after its keyword.
Answer<std::vector<Relation>> read_where(Cursor& in);

}  // namespace dinette::cql::grammar
