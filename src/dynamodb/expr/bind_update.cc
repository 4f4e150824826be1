#include <array>

#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/path_set.h"

namespace dinette::dynamodb::expr {
namespace {

using model::Type;

// Both in written order. The nodes of an action's value stand together, its root last.
Checked bind_names(const Parsed& parsed, const UpdateAst& ast, Binder& binder) {
  std::size_t node = 0;
  for (std::size_t i = 0; i < ast.actions.size(); ++i) {
    DINETTE_CHECK(binder.path(parsed.targets[i]));
    if (ast.actions[i].clause != Clause::set) continue;
    for (; node <= ast.actions[i].value; ++node) {
      const ValueNode& one = ast.nodes[node];
      if (one.op == ValueOp::path) DINETTE_CHECK(binder.path(parsed.paths[one.a]));
    }
  }
  return {};
}
Checked bind_values(const UpdateAst& ast, Binder& binder) {
  std::size_t node = 0;
  for (const Action& action : ast.actions) {
    if (action.clause == Clause::add || action.clause == Clause::erase)
      DINETTE_CHECK(binder.value(action.value));
    if (action.clause != Clause::set) continue;
    for (; node <= action.value; ++node) {
      if (ast.nodes[node].op == ValueOp::value) DINETTE_CHECK(binder.value(ast.nodes[node].a));
    }
  }
  return {};
}

// A node's operand where only `allowed` types may be; attributes show theirs at run time.
Checked check_operand(const Parsed& parsed, const UpdateAst& ast, const Bindings& bindings, Slot operand,
                      std::string_view op, Type allowed) {
  const ValueNode& node = ast.nodes[operand];
  Type type = allowed;
  if (node.op == ValueOp::value) type = bindings.values[node.a]->type();
  if (node.op == ValueOp::add || node.op == ValueOp::subtract) type = Type::number;
  if (node.op == ValueOp::list_append) type = Type::list;
  if (type == allowed) return {};
  return incorrect_operand_type(parsed.kind, op, type_name(type));
}

Checked check_node(const Parsed& parsed, const UpdateAst& ast, const Bindings& bindings,
                   const ValueNode& node) {
  const auto check_both = [&](std::string_view op, Type allowed) -> Checked {
    DINETTE_CHECK(check_operand(parsed, ast, bindings, node.a, op, allowed));
    return check_operand(parsed, ast, bindings, node.b, op, allowed);
  };
  if (node.op == ValueOp::add) return check_both("+", Type::number);
  if (node.op == ValueOp::subtract) return check_both("-", Type::number);
  if (node.op == ValueOp::list_append) return check_both("list_append", Type::list);
  return {};
}

// These two print a sentence of their own, with the types' long names (docs/service/expressions.md section
// 4).
Checked check_set_operand(const Parsed& parsed, Clause clause, Type type) {
  constexpr TypeSet sets = types(Type::string_set, Type::number_set, Type::binary_set);
  const bool add = clause == Clause::add;
  if (contains(add ? sets | types(Type::number) : sets, type)) return {};
  constexpr std::array<std::string_view, 10> long_names = {"STRING",     "NUMBER",     "BINARY", "STRING_SET",
                                                           "NUMBER_SET", "BINARY_SET", "MAP",    "LIST",
                                                           "NULL",       "BOOLEAN"};
  const std::string op = add ? "ADD" : "DELETE";
  return invalid(parsed.kind,
                 "Incorrect operand type for operator or function; operator: " + op +
                     ", operand type: " + std::string(long_names[static_cast<std::size_t>(type)]) +
                     ", typeSet: ALLOWED_FOR_" + op + "_OPERAND");
}

Checked check_types(const Parsed& parsed, const UpdateAst& ast, const Bindings& bindings) {
  std::size_t node = 0;
  for (const Action& action : ast.actions) {
    if (action.clause == Clause::add || action.clause == Clause::erase) {
      DINETTE_CHECK(check_set_operand(parsed, action.clause, bindings.values[action.value]->type()));
    }
    if (action.clause != Clause::set) continue;
    for (; node <= action.value; ++node) DINETTE_CHECK(check_node(parsed, ast, bindings, ast.nodes[node]));
  }
  return {};
}

}  // namespace

base::Result<Update, ExpressionError> bind_update(const ParsedRef& parsed, Placeholders& placeholders) {
  const auto& ast = std::get<UpdateAst>(parsed->form);
  Binder binder(*parsed, placeholders);
  // Undefined names, undefined values, overlaps, then types (docs/service/expressions.md section 7, "Order").
  DINETTE_CHECK(bind_names(*parsed, ast, binder));
  DINETTE_CHECK(bind_values(ast, binder));
  DINETTE_TRY(PathSet targets, arrange_targets(parsed, binder.take()));
  DINETTE_CHECK(check_types(*parsed, ast, targets.bindings));
  return Update(std::move(targets));
}

}  // namespace dinette::dynamodb::expr
