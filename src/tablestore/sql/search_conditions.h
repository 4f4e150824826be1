#pragma once

#include "tablestore/search/query.h"
#include "tablestore/sql/expression.h"

/// Conditions that only a search index has: TEXT_MATCH, TEXT_MATCH_PHRASE, NESTED_QUERY, and comparisons with
/// ARRAY_EXTRACT (tablestore/sql.md section 7).
namespace dinette::tablestore::sql {

/// Returns true if the whole expression is one.
bool is_search_condition(const Expression& expression);

/// Returns the first column in it, or null.
const Expression* searched_column(const Expression& expression);

/// Returns the condition as one of documents. The schema must outlive it, as must the budget of
/// `environment`.
Answer<search::Condition> search_condition(const Expression& expression, const search::IndexSchema& schema,
                                           const Environment& environment);

}  // namespace dinette::tablestore::sql
