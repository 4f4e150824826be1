#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <boost/container/small_vector.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/partiql/compiler.h"
#include "dynamodb/partiql/literal.h"
#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {
namespace {

using base::Failure;
using expr::ConditionOp;
using expr::Operand;
using expr::Slot;
using model::Type;

struct Comparator {
  std::string_view name;
  ConditionOp op;
};
constexpr std::array<Comparator, 6> comparators = {{{"=", ConditionOp::equal},
                                                    {"<>", ConditionOp::not_equal},
                                                    {"<", ConditionOp::less},
                                                    {"<=", ConditionOp::less_equal},
                                                    {">", ConditionOp::greater},
                                                    {">=", ConditionOp::greater_equal}}};

struct Function {
  std::string_view name;
  ConditionOp op;
  std::size_t operands;
  bool wants_path;
};
constexpr std::array<Function, 5> functions = {
    {{"attribute_exists", ConditionOp::attribute_exists, 1, true},
     {"attribute_not_exists", ConditionOp::attribute_not_exists, 1, true},
     {"attribute_type", ConditionOp::attribute_type, 2, true},
     {"begins_with", ConditionOp::begins_with, 2, false},
     {"contains", ConditionOp::contains, 2, false}}};

struct TypeName {
  std::string_view name;
  std::string_view type;
};
/// What `IS <type>` asks for; the names are the grammar's.
constexpr std::array<TypeName, 20> tested_types = {
    {{"null", "NULL"},  {"boolean", "BOOL"}, {"string", "S"},
     {"symbol", "S"},   {"character", "S"},  {"character_varying", "S"},
     {"integer", "N"},  {"smallint", "N"},   {"integer4", "N"},
     {"integer8", "N"}, {"float", "N"},      {"real", "N"},
     {"decimal", "N"},  {"numeric", "N"},    {"double_precision", "N"},
     {"list", "L"},     {"struct", "M"},     {"tuple", "M"},
     {"blob", "B"},     {"clob", "B"}}};

std::string upper(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return letters;
}

class ConditionCompiler {
 public:
  explicit ConditionCompiler(const Source& source) : source_(source), paths_(source, parsed_) {
    parsed_.kind = expr::Kind::condition;
  }

  Checked<expr::ParsedRef> compile(NodeId root) {
    DINETTE_CHECK(condition(root));
    parsed_.form = std::move(ast_);
    return std::make_shared<const expr::Parsed>(std::move(parsed_));
  }

 private:
  using Operands = boost::container::small_vector<Operand, 3>;

  // The depth is the grammar's.
  Checked<Slot> condition(NodeId id) {
    const Node& node = source_.tree.at(id);
    switch (node.kind) {
      case NodeKind::binary:
        return binary(id);
      case NodeKind::between:
        return between(node);
      case NodeKind::unary:
        if (source_.text(node) != "not") return operand_count(source_.text(node), 1);
        return negated(condition(node.children.front()));
      case NodeKind::is_type:
        return is_type(node);
      case NodeKind::call:
        return call(node);
      case NodeKind::call_star:
        return unrecognized(source_, node);
      default:
        return Failure{"A condition is expected at " + source_.place(node)};
    }
  }

  Checked<Slot> binary(NodeId id) {
    const Node& node = source_.tree.at(id);
    const std::string& op = source_.text(node);
    if (op == "and") return chain(id, ConditionOp::logical_and);
    if (op == "or") return chain(id, ConditionOp::logical_or);
    if (op == "in") return in(node);
    if (op == "not_in") return negated(in(node));
    const auto* const comparator = std::ranges::find(comparators, op, &Comparator::name);
    if (comparator == comparators.end())
      return Failure{"Unsupported operator in Condition Expression. Operator: " + upper(op)};
    return comparison(node, comparator->op, op);
  }

  /// Compiles a chain of one operator, of up to a thousand conditions, to a tree as flat as possible.
  Checked<Slot> chain(NodeId id, ConditionOp op) {
    std::vector<NodeId> links;
    for (;;) {
      const Node& node = source_.tree.at(id);
      const bool goes_on = node.kind == NodeKind::binary &&
                           source_.text(node) == (op == ConditionOp::logical_and ? "and" : "or");
      if (!goes_on) break;
      links.push_back(node.children[1]);
      id = node.children[0];
    }
    links.push_back(id);
    std::ranges::reverse(links);
    return joined(links, op);
  }

  Checked<Slot> joined(std::span<const NodeId> links, ConditionOp op) {
    if (links.size() == 1) return condition(links.front());
    DINETTE_TRY(const Slot left, joined(links.first(links.size() / 2), op));
    DINETTE_TRY(const Slot right, joined(links.subspan(links.size() / 2), op));
    return add({op, left, right});
  }

  Checked<Slot> comparison(const Node& node, ConditionOp op, const std::string& name) {
    DINETTE_TRY(const Operands both, operands(node.children));
    if (op != ConditionOp::equal && op != ConditionOp::not_equal) check_all(both, expr::ordered_types, name);
    return add(op, both);
  }

  Checked<Slot> between(const Node& node) {
    DINETTE_TRY(const Operands all, operands(node.children));
    check_all(all, expr::ordered_types, "BETWEEN");
    auto made = add(ConditionOp::between, all);
    return source_.text(node) == "between" ? made : negated(std::move(made));
  }

  Checked<Slot> in(const Node& node) {
    const Node& left = source_.tree.child(node, 0);
    const Node& right = source_.tree.child(node, 1);
    const bool constant = is_literal(left.kind) || left.kind == NodeKind::parameter;
    if (constant || right.kind != NodeKind::list || right.children.empty()) {
      return Failure{
          std::string("IN operator must have a left hand argument of type Variable Reference and right hand "
                      "argument of type "
                      "Seq with at least one member")};
    }
    if (right.children.size() > model::limits::in_operands) {
      return Failure{"The IN operator is provided with too many operands; number of operands: " +
                     std::to_string(right.children.size())};
    }
    Operands all;
    DINETTE_TRY(const Operand subject, operand(node.children.front()));
    all.push_back(subject);
    for (const NodeId member : right.children) {
      DINETTE_TRY(const Operand one, operand(member));
      all.push_back(one);
    }
    DINETTE_TRY(const Slot made, add(ConditionOp::in, all));
    ast_.nodes[made].b = static_cast<Slot>(all.size());
    return made;
  }

  /// `IS MISSING` is attribute_not_exists, `IS <type>` attribute_type.
  Checked<Slot> is_type(const Node& node) {
    const std::string& type = source_.text(source_.tree.child(node, 1));
    Checked<Slot> made = type == "missing" ? is_missing(node) : has_type(node, type);
    return source_.text(node) == "is" ? made : negated(std::move(made));
  }

  Checked<Slot> is_missing(const Node& node) {
    DINETTE_TRY(const Operand subject, path_operand(node.children.front(), "attribute_not_exists"));
    return add(ConditionOp::attribute_not_exists, Operands(1, subject));
  }

  Checked<Slot> has_type(const Node& node, const std::string& type) {
    const auto* const known = std::ranges::find(tested_types, type, &TypeName::name);
    if (known == tested_types.end()) return Failure{std::string("Unsupported operation: IsType")};
    DINETTE_TRY(const Operand subject, path_operand(node.children.front(), "attribute_type"));
    return add(ConditionOp::attribute_type, Operands{subject, constant(std::string(known->type))});
  }

  Checked<Slot> call(const Node& node) {
    const std::string name = lowered(source_.text(node));
    const auto* const function = std::ranges::find(functions, name, &Function::name);
    if (function == functions.end()) {
      if (name == "size") return Failure{"A condition is expected at " + source_.place(node)};
      return unrecognized(source_, node);
    }
    if (node.children.size() != function->operands) return operand_count(name, node.children.size());
    Operands all;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      DINETTE_TRY(const Operand one, i == 0 && function->wants_path ? path_operand(node.children[i], name)
                                                                    : operand(node.children[i]));
      all.push_back(one);
    }
    if (function->op == ConditionOp::begins_with)
      check_all(all, expr::types(Type::string, Type::binary), name);
    if (function->op == ConditionOp::attribute_type) DINETTE_CHECK(check_type_name(all[1]));
    return add(function->op, all);
  }

  Checked<void> check_type_name(const Operand& name) {
    if (name.kind != Operand::Kind::value) {
      return Failure{
          std::string("Incorrect operand type for operator or function; operator or function: "
                      "attribute_type, operand type: "
                      "PATH")};
    }
    check(name, expr::types(Type::string), "attribute_type");
    source_.statement.type_names.push_back(name.slot);
    return {};
  }

  Checked<Slot> negated(Checked<Slot> made) {
    if (!made) return made;
    return add({ConditionOp::logical_not, *made});
  }

  Checked<Operands> operands(std::span<const NodeId> ids) {
    Operands all;
    for (const NodeId id : ids) {
      DINETTE_TRY(const Operand one, operand(id));
      all.push_back(one);
    }
    return all;
  }

  Checked<Operand> operand(NodeId id) {
    const Node& node = source_.tree.at(id);
    if (paths_.is_path(node)) {
      DINETTE_TRY(const Slot slot, paths_.slot(node));
      return Operand{Operand::Kind::path, slot};
    }
    if (is_literal(node.kind) || node.kind == NodeKind::parameter)
      return Operand{Operand::Kind::value, source_.constants.slot(id)};
    if (node.kind == NodeKind::call && lowered(source_.text(node)) == "size") return size(node);
    if (node.kind == NodeKind::missing) return unsupported_data(source_.tree, node, "root");
    DINETTE_TRY(const Slot slot, condition(id));
    return Operand{Operand::Kind::condition, slot};
  }

  Checked<Operand> path_operand(NodeId id, std::string_view function) {
    if (paths_.is_path(source_.tree.at(id))) return operand(id);
    return Failure{"Operator or function requires a document path; operator or function: " +
                   std::string(function)};
  }

  Checked<Operand> size(const Node& call) {
    if (call.children.size() != 1) return operand_count("size", call.children.size());
    DINETTE_TRY(const Operand of, operand(call.children.front()));
    if (of.kind == Operand::Kind::path) return Operand{Operand::Kind::size_of_path, of.slot};
    if (of.kind != Operand::Kind::value) {
      return Failure{
          std::string("Operator or function requires a document path; operator or function: size")};
    }
    check(of, expr::sized_types, "size");
    return Operand{Operand::Kind::size_of_value, of.slot};
  }

  Operand constant(model::AttributeValue value) {
    source_.statement.constants.push_back({std::nullopt, std::move(value)});
    return {Operand::Kind::value, static_cast<Slot>(source_.statement.constants.size() - 1)};
  }

  void check(const Operand& operand, expr::TypeSet allowed, std::string_view op) {
    if (operand.kind == Operand::Kind::value)
      source_.statement.checks.push_back({operand.slot, allowed, std::string(op)});
    // A condition is a BOOL, as any constant would be.
    if (operand.kind == Operand::Kind::condition)
      source_.statement.checks.push_back({constant(true).slot, allowed, std::string(op)});
  }
  void check_all(const Operands& operands, expr::TypeSet allowed, std::string_view op) {
    for (const Operand& operand : operands) check(operand, allowed, op);
  }

  Slot add(expr::ConditionNode node) {
    ast_.nodes.push_back(node);
    return static_cast<Slot>(ast_.nodes.size() - 1);
  }
  Checked<Slot> add(ConditionOp op, const Operands& operands) {
    const auto first = static_cast<Slot>(ast_.operands.size());
    ast_.operands.insert(ast_.operands.end(), operands.begin(), operands.end());
    return add({op, first});
  }

  const Source& source_;
  expr::Parsed parsed_;
  expr::ConditionAst ast_;
  Paths paths_;
};

}  // namespace

Checked<expr::ParsedRef> compile_condition(const Source& source, NodeId root) {
  return ConditionCompiler(source).compile(root);
}

}  // namespace dinette::dynamodb::partiql
