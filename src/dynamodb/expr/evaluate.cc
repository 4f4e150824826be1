#include <algorithm>
#include <compare>
#include <functional>

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/document.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/model/value_relations.h"

namespace dinette::dynamodb::expr {
namespace {

using model::AttributeValue;

bool has_type(const AttributeValue& value, const AttributeValue& name) {
  return type_name(value.type()) == name.get<std::string>();
}

/// Values of one type that has an order, in an order that `is_right`.
class Ordered {
 public:
  explicit Ordered(bool (*is_right)(std::partial_ordering)) : is_right_(is_right) {}
  bool operator()(const AttributeValue& left, const AttributeValue& right) const {
    const auto order = compare(left, right);
    return order && is_right_(*order);
  }

 private:
  bool (*is_right_)(std::partial_ordering);
};

/// What an operand comes to for one item.
struct Seen {
  const AttributeValue* value = nullptr;  // null: nothing there
  bool sizeless = false;                  // size() of nothing, or of what has no size: no comparison matches
};

class Evaluator {
 public:
  Evaluator(const Parsed& parsed, const Bindings& bindings, const Constants& constants,
            const model::Item* item)
      : parsed_(parsed),
        ast_(std::get<ConditionAst>(parsed.form)),
        bindings_(bindings),
        constants_(constants),
        item_(item) {}

  // The depth is at most the number of operators an expression may have.
  bool holds(Slot slot) const {
    if (slot < constants_.outcomes.size() && constants_.outcomes[slot]) return *constants_.outcomes[slot];
    const ConditionNode& node = ast_.nodes[slot];
    switch (node.op) {
      case ConditionOp::logical_and:
        return holds(node.a) && holds(node.b);
      case ConditionOp::logical_or:
        return holds(node.a) || holds(node.b);
      case ConditionOp::logical_not:
        return !holds(node.a);
      case ConditionOp::equal:
        return both(node.a, node.a + 1U, std::equal_to<>());
      case ConditionOp::not_equal:
        return differ(node.a, node.a + 1U);
      case ConditionOp::less:
        return both(node.a, node.a + 1U, Ordered(std::is_lt));
      case ConditionOp::less_equal:
        return both(node.a, node.a + 1U, Ordered(std::is_lteq));
      case ConditionOp::greater:
        return both(node.a, node.a + 1U, Ordered(std::is_gt));
      case ConditionOp::greater_equal:
        return both(node.a, node.a + 1U, Ordered(std::is_gteq));
      case ConditionOp::between:
        return both(node.a, node.a + 1U, Ordered(std::is_gteq)) &&
               both(node.a, node.a + 2U, Ordered(std::is_lteq));
      case ConditionOp::in:
        return in(node);
      case ConditionOp::attribute_exists:
        return at_path(node.a) != nullptr;
      case ConditionOp::attribute_not_exists:
        return at_path(node.a) == nullptr;
      case ConditionOp::attribute_type:
        return both(node.a, node.a + 1U, has_type);
      case ConditionOp::begins_with:
        return both(node.a, node.a + 1U, model::begins_with);
      case ConditionOp::contains:
        return both(node.a, node.a + 1U, model::contains);
    }
    return false;
  }

 private:
  const AttributeValue* at_path(std::size_t operand) const {
    return find(parsed_, bindings_, parsed_.paths[ast_.operands[operand].slot], item_);
  }

  // `storage` keeps what is computed rather than found.
  Seen see(std::size_t position, AttributeValue& storage) const {
    const Operand& operand = ast_.operands[position];
    switch (operand.kind) {
      case Operand::Kind::path:
        return {at_path(position)};
      case Operand::Kind::value:
        return {bindings_.values[operand.slot]};
      case Operand::Kind::size_of_path:
        return size_of(at_path(position), storage);
      case Operand::Kind::size_of_value:
        return {&constants_.sizes[operand.slot]};
    }
    return {};
  }

  static Seen size_of(const AttributeValue* value, AttributeValue& storage) {
    const auto size = value == nullptr ? std::nullopt : model::element_count(*value);
    if (!size) return {nullptr, true};
    storage = model::Number(static_cast<std::int64_t>(*size));
    return {&storage};
  }

  /// Whether both operands are there, and `relation` holds between them.
  template <class Relation>
  bool both(std::size_t a, std::size_t b, Relation relation) const {
    AttributeValue storage_a;
    AttributeValue storage_b;
    const Seen left = see(a, storage_a);
    const Seen right = see(b, storage_b);
    return left.value != nullptr && right.value != nullptr && relation(*left.value, *right.value);
  }

  /// Nothing differs from everything, but a size that does not exist matches nothing (facts: expressions.md
  /// section 5).
  bool differ(std::size_t a, std::size_t b) const {
    AttributeValue storage_a;
    AttributeValue storage_b;
    const Seen left = see(a, storage_a);
    const Seen right = see(b, storage_b);
    if (left.sizeless || right.sizeless) return false;
    return left.value == nullptr || right.value == nullptr || !(*left.value == *right.value);
  }

  bool in(const ConditionNode& node) const {
    AttributeValue storage;
    const Seen subject = see(node.a, storage);
    if (subject.value == nullptr) return false;
    for (std::size_t i = 1; i < node.b; ++i) {
      AttributeValue storage_of_one;
      const Seen one = see(node.a + i, storage_of_one);
      if (one.value != nullptr && *one.value == *subject.value) return true;
    }
    return false;
  }

  const Parsed& parsed_;
  const ConditionAst& ast_;
  const Bindings& bindings_;
  const Constants& constants_;
  const model::Item* item_;
};

bool is_constant(const Operand& operand) {
  return operand.kind == Operand::Kind::value || operand.kind == Operand::Kind::size_of_value;
}

/// By value slot. The binder has seen to it that each has a size.
std::vector<AttributeValue> sizes_of_values(const ConditionAst& ast, const Bindings& bindings) {
  std::vector<AttributeValue> sizes;
  for (const Operand& operand : ast.operands) {
    if (operand.kind != Operand::Kind::size_of_value) continue;
    sizes.resize(bindings.values.size());
    if (sizes[operand.slot].type() == model::Type::number) continue;  // another operand is the same size
    const std::size_t size = model::element_count(*bindings.values[operand.slot]).value();
    sizes[operand.slot] = model::Number(static_cast<std::int64_t>(size));
  }
  return sizes;
}

}  // namespace

Condition::Condition(ParsedRef parsed, Bindings bindings)
    : parsed_(std::move(parsed)), bindings_(std::move(bindings)) {
  const auto& ast = std::get<ConditionAst>(parsed_->form);
  constants_.sizes = sizes_of_values(ast, bindings_);
  const Evaluator evaluator(*parsed_, bindings_, constants_, nullptr);
  for (std::size_t i = 0; i < ast.nodes.size(); ++i) {
    const std::size_t count = operand_count(ast.nodes[i]);
    if (count == 0) continue;
    if (!std::ranges::all_of(std::span(ast.operands).subspan(ast.nodes[i].a, count), is_constant)) continue;
    const bool outcome = evaluator.holds(static_cast<Slot>(i));
    constants_.outcomes.resize(ast.nodes.size());
    constants_.outcomes[i] = outcome;
  }
}

bool Condition::evaluate(const model::Item* item) const {
  const auto root = std::get<ConditionAst>(parsed_->form).nodes.size() - 1;
  return Evaluator(*parsed_, bindings_, constants_, item).holds(static_cast<Slot>(root));
}

std::vector<std::string_view> Condition::attributes() const {
  std::vector<std::string_view> names;
  names.reserve(parsed_->paths.size());
  for (const Operand& operand : std::get<ConditionAst>(parsed_->form).operands) {
    if (operand.kind != Operand::Kind::path && operand.kind != Operand::Kind::size_of_path) continue;
    names.push_back(root_name(*parsed_, bindings_, parsed_->paths[operand.slot]));
  }
  return names;
}

}  // namespace dinette::dynamodb::expr
