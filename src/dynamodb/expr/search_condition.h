#pragma once

#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/base/result.h"

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

/// One clause of a SearchConditionExpression: an attribute and the constant that it equals.
struct SearchClause {
  std::string_view attribute;
  const model::AttributeValue* value;
};

/// A SearchConditionExpression that passed every check that needs no table: clauses joined by AND, in written
/// order, one per attribute (docs/service/vector-search.md, "SearchVectors"). Refers to the request's
/// placeholders.
struct SearchCondition {
  ParsedRef parsed;  ///< keeps the names in the text alive
  boost::container::small_vector<SearchClause, 4> clauses;
};

base::Result<SearchCondition, ExpressionError> bind_search_condition(const ParsedRef& parsed,
                                                                     Placeholders& placeholders);

}  // namespace dinette::dynamodb::expr
