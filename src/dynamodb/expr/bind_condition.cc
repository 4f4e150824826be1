#include <optional>

#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/document.h"

namespace dinette::dynamodb::expr {
namespace {

using model::AttributeValue;
using model::Type;

// The operators and functions that look at constants' types (docs/service/expressions.md section 4).
Checked check_types(const Parsed& parsed, const ConditionNode& node, std::span<const Operand> operands,
                    const Binder& binder) {
  switch (node.op) {
    case ConditionOp::less:
    case ConditionOp::less_equal:
    case ConditionOp::greater:
    case ConditionOp::greater_equal:
    case ConditionOp::between:
      for (const Operand& operand : operands) {
        DINETTE_CHECK(binder.operand_type(symbol(node.op), operand, ordered_types));
      }
      return {};
    case ConditionOp::begins_with:
      for (const Operand& operand : operands) {
        DINETTE_CHECK(binder.operand_type(symbol(node.op), operand, types(Type::string, Type::binary)));
      }
      return {};
    case ConditionOp::attribute_type:
      // The second operand is a constant, never a path.
      if (!binder.static_type(operands[1]))
        return incorrect_operand_type(parsed.kind, symbol(node.op), "PATH");
      return binder.operand_type(symbol(node.op), operands[1], types(Type::string));
    case ConditionOp::logical_and:
    case ConditionOp::logical_or:
    case ConditionOp::logical_not:
    case ConditionOp::equal:
    case ConditionOp::not_equal:
    case ConditionOp::in:
    case ConditionOp::attribute_exists:
    case ConditionOp::attribute_not_exists:
    case ConditionOp::contains:
      break;
  }
  return {};
}

// A bound with a problem of its own is neither compared nor printed: it may hold what was not sent.
Checked check_between(const Parsed& parsed, std::span<const Operand> operands, const Binder& binder) {
  if (operands[1].kind != Operand::Kind::value || operands[2].kind != Operand::Kind::value) return {};
  if (binder.refused(operands[1].slot) || binder.refused(operands[2].slot)) return {};
  const AttributeValue& low = *binder.bindings().values[operands[1].slot];
  const AttributeValue& high = *binder.bindings().values[operands[2].slot];
  const auto refuse = [&](std::string_view rule) {
    return invalid(parsed.kind, "The BETWEEN operator requires " + std::string(rule) +
                                    "; lower bound operand: " + printed(low) +
                                    ", upper bound operand: " + printed(high));
  };
  const auto order = compare(low, high);
  if (!order) return refuse("same data type for lower and upper bounds");
  if (*order > 0) return refuse("upper bound to be greater than or equal to lower bound");
  return {};
}

Checked check_attribute_type(const Parsed& parsed, const Operand& operand, const Bindings& bindings) {
  const auto& name = bindings.values[operand.slot]->get<std::string>();
  if (model::type_from_name(name)) return {};
  return invalid(parsed.kind, "Invalid attribute type name found; type: " + name +
                                  ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

Checked check_distinct(const Parsed& parsed, const ConditionNode& node, std::span<const Operand> operands,
                       const Bindings& bindings) {
  if (operands[0].kind != Operand::Kind::path) return {};
  const Path first = parsed.paths[operands[0].slot];
  for (const Operand& other : operands.subspan(1)) {
    if (other.kind != Operand::Kind::path) continue;
    if (compare_paths(parsed, bindings, first, parsed.paths[other.slot]) != 0) continue;
    return invalid(
        parsed.kind,
        "The first operand must be distinct from the remaining operands for this operator or function; "
        "operator: " +
            std::string(symbol(node.op)) + ", first operand: " + printed(parsed, bindings, first));
  }
  return {};
}

}  // namespace

std::string_view symbol(ConditionOp op) {
  switch (op) {
    case ConditionOp::logical_and:
      return "AND";
    case ConditionOp::logical_or:
      return "OR";
    case ConditionOp::logical_not:
      return "NOT";
    case ConditionOp::equal:
      return "=";
    case ConditionOp::not_equal:
      return "<>";
    case ConditionOp::less:
      return "<";
    case ConditionOp::less_equal:
      return "<=";
    case ConditionOp::greater:
      return ">";
    case ConditionOp::greater_equal:
      return ">=";
    case ConditionOp::between:
      return "BETWEEN";
    case ConditionOp::in:
      return "IN";
    case ConditionOp::attribute_exists:
      return "attribute_exists";
    case ConditionOp::attribute_not_exists:
      return "attribute_not_exists";
    case ConditionOp::attribute_type:
      return "attribute_type";
    case ConditionOp::begins_with:
      return "begins_with";
    case ConditionOp::contains:
      return "contains";
  }
  return {};
}

std::size_t operand_count(const ConditionNode& node) {
  switch (node.op) {
    case ConditionOp::logical_and:
    case ConditionOp::logical_or:
    case ConditionOp::logical_not:
      return 0;
    case ConditionOp::attribute_exists:
    case ConditionOp::attribute_not_exists:
      return 1;
    case ConditionOp::equal:
    case ConditionOp::not_equal:
    case ConditionOp::less:
    case ConditionOp::less_equal:
    case ConditionOp::greater:
    case ConditionOp::greater_equal:
    case ConditionOp::attribute_type:
    case ConditionOp::begins_with:
    case ConditionOp::contains:
      return 2;
    case ConditionOp::between:
      return 3;
    case ConditionOp::in:
      return node.b;
  }
  return 0;
}

Checked check_comparison(const Parsed& parsed, const ConditionNode& node, const Binder& binder) {
  const auto& ast = std::get<ConditionAst>(parsed.form);
  const std::span<const Operand> operands(ast.operands.data() + node.a, operand_count(node));
  for (const Operand& operand : operands) {
    if (operand.kind != Operand::Kind::size_of_value) continue;
    DINETTE_CHECK(binder.operand_type("size", {Operand::Kind::value, operand.slot}, sized_types));
  }
  DINETTE_CHECK(check_types(parsed, node, operands, binder));
  if (node.op == ConditionOp::between) DINETTE_CHECK(check_between(parsed, operands, binder));
  if (node.op == ConditionOp::attribute_type) {
    DINETTE_CHECK(check_attribute_type(parsed, operands[1], binder.bindings()));
  }
  return check_distinct(parsed, node, operands, binder.bindings());
}

base::Result<Condition, ExpressionError> bind_condition(const ParsedRef& parsed, Placeholders& placeholders) {
  Binder binder(*parsed, placeholders);
  const auto& ast = std::get<ConditionAst>(parsed->form);
  // Undefined names, undefined values, then types (docs/service/expressions.md section 7, "Order").
  DINETTE_CHECK(binder.operands(ast.operands));
  // Children come before parents and left before right, so the first problem in written order wins.
  for (const ConditionNode& node : ast.nodes) {
    if (operand_count(node) > 0) DINETTE_CHECK(check_comparison(*parsed, node, binder));
  }
  return Condition(parsed, binder.take());
}

}  // namespace dinette::dynamodb::expr
