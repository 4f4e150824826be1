#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/partiql/statement.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb::partiql {

using Parameters = std::optional<std::vector<codec::AttributeValueInput>>;

/// A statement with the parameters of one request, which must outlive it.
class Bound {
 public:
  Bound(StatementRef statement, const Parameters& parameters);

  const Statement& statement() const { return *statement_; }
  /// The value used instead of a constant.
  const model::AttributeValue& value(expr::Slot constant) const { return *values_[constant]; }
  /// The names and values of one of the statement's expressions.
  expr::Bindings bindings(const expr::Parsed& parsed) const;

 private:
  StatementRef statement_;
  std::vector<const model::AttributeValue*> values_;
};

/// Refuses the first parameter, in written order, that is not a value.
Answer<void> check_parameters(const Parameters& parameters);

/// Reads a statement, from the cache where possible, and does every check that needs no table
/// (docs/service/partiql.md section 2, steps 1 to 4).
Answer<Bound> bind(const Context& context, const std::string& text, const Parameters& parameters);

}  // namespace dinette::dynamodb::partiql
