#include "dynamodb/expr/search_condition.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/document.h"

namespace dinette::dynamodb::expr {
namespace {

bool is_comparator(ConditionOp op) {
  return op == ConditionOp::not_equal || op == ConditionOp::less || op == ConditionOp::less_equal ||
         op == ConditionOp::greater || op == ConditionOp::greater_equal;
}

class SearchBinder {
 public:
  SearchBinder(const Parsed& parsed, Placeholders& placeholders)
      : parsed_(parsed), ast_(std::get<ConditionAst>(parsed.form)), binder_(parsed, placeholders) {}

  /// The root is the last node.
  Checked bind() {
    DINETTE_CHECK(bind(ast_.nodes.back()));
    if (condition_.clauses.size() <= model::limits::search_conditions) return {};
    return refuse(
        "SearchConditionExpression cannot have more than 1 partition key and more than 20 inline filter key "
        "attributes");
  }

  SearchCondition take() { return std::move(condition_); }

 private:
  base::Failure<ExpressionError> refuse(std::string_view problem) const {
    return invalid(parsed_.kind, problem);
  }

  // The depth is at most the number of operators an expression may have.
  Checked bind(const ConditionNode& node) {
    if (node.op == ConditionOp::logical_and) {
      DINETTE_CHECK(bind(ast_.nodes[node.a]));
      return bind(ast_.nodes[node.b]);
    }
    if (is_comparator(node.op)) return refuse("Invalid comparator used in SearchConditionExpression");
    if (node.op != ConditionOp::equal)
      return refuse("Invalid operator used in SearchConditionExpression: " + std::string(symbol(node.op)));
    const std::span<const Operand> operands(ast_.operands.data() + node.a, operand_count(node));
    DINETTE_CHECK(binder_.operands(operands));
    DINETTE_CHECK(check_comparison(parsed_, node, binder_));
    return add_clause(operands);
  }

  /// One operand is an attribute, the other a value, in either order.
  Checked add_clause(std::span<const Operand> operands) {
    const bool flipped = operands.front().kind == Operand::Kind::value;
    const Operand& left = operands[flipped ? 1 : 0];
    const Operand& right = operands[flipped ? 0 : 1];
    if (left.kind != Operand::Kind::path || right.kind != Operand::Kind::value)
      return refuse("Invalid condition in SearchConditionExpression: an attribute must equal a value");
    const Path path = parsed_.paths[left.slot];
    if (path.count > 1)
      return refuse("SearchConditionExpression cannot have conditions on nested attributes");
    const std::string_view attribute = root_name(parsed_, binder_.bindings(), path);
    auto& clauses = condition_.clauses;
    if (std::ranges::find(clauses, attribute, &SearchClause::attribute) != clauses.end())
      return refuse("SearchConditionExpression must only contain one condition per attribute");
    clauses.push_back({attribute, binder_.bindings().values[right.slot]});
    return {};
  }

  const Parsed& parsed_;
  const ConditionAst& ast_;
  Binder binder_;
  SearchCondition condition_;
};

}  // namespace

base::Result<SearchCondition, ExpressionError> bind_search_condition(const ParsedRef& parsed,
                                                                     Placeholders& placeholders) {
  SearchBinder binder(*parsed, placeholders);
  DINETTE_CHECK(binder.bind());
  SearchCondition condition = binder.take();
  condition.parsed = parsed;
  return condition;
}

}  // namespace dinette::dynamodb::expr
