#pragma once

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/grammar/cursor.h"

namespace dinette::cql::grammar {

/// Returns true if a value begins here: a constant, a literal, a marker or null; not a function.
bool at_value(const Cursor& in);
/// Reads a value, a function call or a term with a type hint (docs/service-keyspaces/grammar.md section 5).
Answer<Term> read_term(Cursor& in);
/// Reads an integer or a marker, as LIMIT and USING have.
Answer<Term> read_number(Cursor& in);
Answer<TypeName> read_type(Cursor& in);
/// Reads the name of a user type, which is not that of a native type without quotes.
Answer<QualifiedName> read_user_type_name(Cursor& in);
/// Returns true if `(` begins a type in parentheses.
bool at_type_hint(const Cursor& in);

}  // namespace dinette::cql::grammar
