#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

using Checked = base::Result<void, ExpressionError>;

/// `Invalid ConditionExpression: <problem>`
base::Failure<ExpressionError> invalid(Kind kind, std::string_view problem);

/// `Incorrect operand type for operator or function; operator or function: <op>, operand type: <type>`
base::Failure<ExpressionError> incorrect_operand_type(Kind kind, std::string_view op, std::string_view type);

/// Types as a set of bits.
using TypeSet = unsigned;
template <class... Types>
constexpr TypeSet types(Types... one) {
  return ((1U << static_cast<unsigned>(one)) | ...);
}
constexpr bool contains(TypeSet set, model::Type type) {
  return (set >> static_cast<unsigned>(type) & 1U) != 0;
}

inline constexpr TypeSet ordered_types = types(model::Type::string, model::Type::number, model::Type::binary);
inline constexpr TypeSet sized_types =
    types(model::Type::string, model::Type::binary, model::Type::string_set, model::Type::number_set,
          model::Type::binary_set, model::Type::list, model::Type::map);

/// Looks up the names and values of one parsed expression as they are met, and refuses the first that is not
/// defined.
class Binder {
 public:
  Binder(const Parsed& parsed, Placeholders& placeholders);

  Checked path(Path path);
  Checked value(Slot slot);
  /// Operands of a condition, names before values.
  Checked operands(std::span<const Operand> operands);

  /// The type that an operand has whatever the item; none for a path.
  std::optional<model::Type> static_type(const Operand& operand) const;
  /// Refuses an operand whose static type is not in `allowed`.
  Checked operand_type(std::string_view op, const Operand& operand, TypeSet allowed) const;

  /// Returns true if the constant has a problem of its own, so that only its type counts.
  bool refused(Slot slot) const { return placeholders_.refused(parsed_.values[slot]); }

  const Bindings& bindings() const { return bindings_; }
  Bindings take() { return std::move(bindings_); }

 private:
  const Parsed& parsed_;
  Placeholders& placeholders_;
  Bindings bindings_;
};

/// Returns a constant as messages print it: `AttributeValue: {S:b}`.
std::string printed(const model::AttributeValue& value);

/// The name by which messages call an operator or function.
std::string_view symbol(ConditionOp op);

/// Returns the number of operands of a condition node.
std::size_t operand_count(const ConditionNode& node);

/// The checks of one comparison or function, operands bound: types, bounds, distinct operands.
Checked check_comparison(const Parsed& parsed, const ConditionNode& node, const Binder& binder);

}  // namespace dinette::dynamodb::expr
