#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/base/result.h"

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

enum class KeyOperator : std::uint8_t {
  equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,
  begins_with
};

/// Returns the operator of a condition on a key attribute that is its first operand; nothing if there is
/// none.
std::optional<KeyOperator> key_operator(ConditionOp op);
/// Returns the operator with its operands changed round: `:lo <= sk` is `sk >= :lo`.
std::optional<KeyOperator> mirrored(KeyOperator op);

/// One clause of a KeyConditionExpression: a key attribute against constants. `high` is BETWEEN's upper
/// bound.
struct KeyClause {
  std::string_view attribute;
  KeyOperator op;
  const model::AttributeValue* value;
  const model::AttributeValue* high = nullptr;
};
using KeyClauses = boost::container::small_vector<KeyClause, 2>;

/// A KeyConditionExpression that passed every check that needs no table. Refers to the request's
/// placeholders.
struct KeyCondition {
  ParsedRef parsed;  ///< keeps the names in the text alive
  KeyClauses clauses;
};

base::Result<KeyCondition, ExpressionError> bind_key_condition(const ParsedRef& parsed,
                                                               Placeholders& placeholders);

/// An attribute of a table's or index's key, in schema order: first every hash attribute, then the range
/// attributes.
struct KeyPart {
  std::string_view attribute;
  model::Type type;
  bool hash;
};

/// A key condition laid over a schema: clauses in schema order. All hash attributes are there with `equal`;
/// of the range attributes the first few, all of them with `equal` but for the last one.
struct MatchedKey {
  KeyClauses hash;
  KeyClauses range;
};

/// Lays the clauses over the schema (docs/service/expressions.md section 8, indexes.md section 4) and checks
/// the values against it: types, emptiness, lengths.
base::Result<MatchedKey, ExpressionError> match_key(std::span<const KeyClause> clauses,
                                                    std::span<const KeyPart> schema);

}  // namespace dinette::dynamodb::expr
