#include <string>

#include "dynamodb/partiql/compiler.h"
#include "dynamodb/partiql/literal.h"
#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {
namespace {

using base::Failure;
using expr::Clause;
using expr::Slot;
using expr::ValueOp;
using model::Type;

constexpr expr::TypeSet sets = expr::types(Type::string_set, Type::number_set, Type::binary_set);

bool is_set_function(const std::string& name) {
  return name == "set_add" || name == "set_delete";
}

class UpdateCompiler {
 public:
  explicit UpdateCompiler(const Source& source) : source_(source), paths_(source, parsed_) {
    parsed_.kind = expr::Kind::update;
  }

  Checked<expr::ParsedRef> compile(const Node& update) {
    for (const NodeId child : update.children) {
      const Node& clause = source_.tree.at(child);
      if (clause.kind == NodeKind::remove) DINETTE_CHECK(remove(clause));
      if (clause.kind != NodeKind::set) continue;
      for (const NodeId assignment : clause.children) DINETTE_CHECK(set(source_.tree.at(assignment)));
    }
    parsed_.form = std::move(ast_);
    return std::make_shared<const expr::Parsed>(std::move(parsed_));
  }

 private:
  Checked<void> remove(const Node& clause) {
    DINETTE_CHECK(target(source_.tree.child(clause, 0)));
    ast_.actions.push_back({Clause::remove});
    return {};
  }

  Checked<void> set(const Node& assignment) {
    const Node& value = source_.tree.child(assignment, 1);
    DINETTE_CHECK(target(source_.tree.child(assignment, 0)));
    if (value.kind == NodeKind::call && is_set_function(lowered(source_.text(value))))
      return change_set(assignment, value);
    DINETTE_TRY(const Slot root, node_of(assignment.children[1]));
    ast_.actions.push_back({Clause::set, root});
    return {};
  }

  Checked<void> target(const Node& path) {
    DINETTE_TRY(const expr::Path made, paths_.path(path));
    parsed_.targets.push_back(made);
    return {};
  }

  /// `a = set_add(a, <set>)` is ADD, `a = set_delete(a, <set>)` DELETE (docs/service/partiql.md section 4).
  Checked<void> change_set(const Node& assignment, const Node& call) {
    const bool adds = lowered(source_.text(call)) == "set_add";
    const std::string name = adds ? "SET_ADD" : "SET_DELETE";
    if (call.children.size() != 2)
      return Failure{name + " must have exactly two arguments at " + source_.place(call)};
    const Node& first = source_.tree.child(call, 0);
    if (!paths_.is_path(first) || !same_path(source_.tree, first, source_.tree.child(assignment, 0))) {
      return Failure{"The first argument to " + name + " must equal the assignment value at " +
                     source_.place(call)};
    }
    const std::string no_set =
        "The second argument to " + name + " must be a value with type SET at " + source_.place(first);
    const Node& second = source_.tree.child(call, 1);
    if (!is_literal(second.kind) && second.kind != NodeKind::parameter) return Failure{no_set};
    const Slot constant = source_.constants.slot(call.children[1]);
    source_.statement.checks.push_back({constant, sets, name, no_set});
    ast_.actions.push_back({adds ? Clause::add : Clause::erase, constant});
    return {};
  }

  // The depth is the grammar's, but for sums: these may be as long as the statement and are followed in a
  // loop.
  Checked<Slot> node_of(NodeId id) {
    std::vector<NodeId> sums;
    while (is_sum(source_.tree.at(id))) {
      sums.push_back(id);
      id = source_.tree.at(id).children[0];
    }
    DINETTE_TRY(Slot made, value(id));
    for (; !sums.empty(); sums.pop_back()) {
      const Node& sum = source_.tree.at(sums.back());
      const std::string& op = source_.text(sum);
      DINETTE_TRY(const Slot right, node_of(sum.children[1]));
      DINETTE_CHECK(check_operand(made, Type::number, op));
      DINETTE_CHECK(check_operand(right, Type::number, op));
      made = add({op == "+" ? ValueOp::add : ValueOp::subtract, made, right});
    }
    return made;
  }

  bool is_sum(const Node& node) const {
    return node.kind == NodeKind::binary && (source_.text(node) == "+" || source_.text(node) == "-");
  }

  Checked<Slot> value(NodeId id) {
    const Node& node = source_.tree.at(id);
    if (is_literal(node.kind) || node.kind == NodeKind::parameter)
      return add({ValueOp::value, source_.constants.slot(id)});
    if (paths_.is_path(node)) {
      DINETTE_TRY(const Slot path, paths_.slot(node));
      return add({ValueOp::path, path});
    }
    if (node.kind == NodeKind::call && lowered(source_.text(node)) == "list_append") return list_append(node);
    if (node.kind == NodeKind::call || node.kind == NodeKind::call_star) return unrecognized(source_, node);
    if (node.kind == NodeKind::unary) return operand_count(source_.text(node), 1);
    if (node.kind == NodeKind::binary || node.kind == NodeKind::between || node.kind == NodeKind::is_type)
      return Failure{"Unsupported operator in Update Expression. Operator: " + source_.text(node)};
    return unsupported_data(source_.tree, node, "root");
  }

  Checked<Slot> list_append(const Node& call) {
    if (call.children.size() != 2) return operand_count("list_append", call.children.size());
    DINETTE_TRY(const Slot first, node_of(call.children[0]));
    DINETTE_TRY(const Slot second, node_of(call.children[1]));
    DINETTE_CHECK(check_operand(first, Type::list, "list_append"));
    DINETTE_CHECK(check_operand(second, Type::list, "list_append"));
    return add({ValueOp::list_append, first, second});
  }

  /// Constants show their types when they are bound, results at once, attributes when the update runs.
  Checked<void> check_operand(Slot slot, Type allowed, const std::string& op) {
    const expr::ValueNode& node = ast_.nodes[slot];
    if (node.op == ValueOp::value) source_.statement.checks.push_back({node.a, expr::types(allowed), op});
    const bool sum = node.op == ValueOp::add || node.op == ValueOp::subtract;
    const bool list = node.op == ValueOp::list_append;
    if ((!sum || allowed == Type::number) && (!list || allowed == Type::list)) return {};
    return Failure{"Incorrect operand type for operator or function; operator or function: " + op +
                   ", operand type: " + (sum ? "N" : "L")};
  }

  Slot add(expr::ValueNode node) {
    ast_.nodes.push_back(node);
    return static_cast<Slot>(ast_.nodes.size() - 1);
  }

  const Source& source_;
  expr::Parsed parsed_;
  expr::UpdateAst ast_;
  Paths paths_;
};

}  // namespace

Checked<expr::ParsedRef> compile_update(const Source& source, const Node& update) {
  return UpdateCompiler(source).compile(update);
}

}  // namespace dinette::dynamodb::partiql
