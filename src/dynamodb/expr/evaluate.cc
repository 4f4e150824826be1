#include <algorithm>
#include <compare>

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

/// Holds for two values of one ordered type if `is_right` accepts their order.
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
            const model::Item* item, model::Work& work)
      : parsed_(parsed),
        ast_(std::get<ConditionAst>(parsed.form)),
        bindings_(bindings),
        constants_(constants),
        item_(item),
        work_(work) {}

  // The depth is at most the number of operators an expression may have, or the depth of a statement.
  bool holds(Slot slot) {
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
        return both(node.a, node.a + 1U, [&](const auto& a, const auto& b) { return equal(a, b); });
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
        return both(node.a, node.a + 1U, [&](const auto& a, const auto& b) { return contains(a, b); });
    }
    return false;
  }

 private:
  using Relation = bool (*)(const AttributeValue&, const AttributeValue&, model::Work&);

  /// A comparison that took long, and what came of it.
  struct Known {
    Relation relation;
    const AttributeValue* left;
    const AttributeValue* right;
    bool outcome;
  };

  bool equal(const AttributeValue& a, const AttributeValue& b) { return once(model::equal, a, b); }
  bool contains(const AttributeValue& a, const AttributeValue& b) { return once(model::contains, a, b); }

  /// Evaluates expensive comparisons only once: an expression can compare the same two large values two
  /// thousand times, and most have no such comparison.
  bool once(Relation relation, const AttributeValue& a, const AttributeValue& b) {
    constexpr std::size_t long_work = 1000;
    for (const Known& known : known_) {
      if (known.relation == relation && known.left == &a && known.right == &b) return known.outcome;
    }
    const std::size_t before = work_.units();
    const bool outcome = relation(a, b, work_);
    if (work_.units() - before >= long_work) known_.push_back({relation, &a, &b, outcome});
    return outcome;
  }

  const AttributeValue* at_path(std::size_t operand) {
    const Path path = parsed_.paths[ast_.operands[operand].slot];
    work_.add(path.count);
    return find(parsed_, bindings_, path, item_);
  }

  // `storage` keeps what is computed rather than found.
  Seen see(std::size_t position, AttributeValue& storage) {
    const Operand& operand = ast_.operands[position];
    work_.add(1);
    switch (operand.kind) {
      case Operand::Kind::path:
        return {at_path(position)};
      case Operand::Kind::value:
        return {bindings_.values[operand.slot]};
      case Operand::Kind::size_of_path:
        return size_of(at_path(position), storage);
      case Operand::Kind::size_of_value:
        return {&constants_.sizes[operand.slot]};
      case Operand::Kind::condition:
        storage = holds(operand.slot);
        return {&storage};
    }
    return {};
  }

  Seen size_of(const AttributeValue* value, AttributeValue& storage) {
    constexpr std::size_t bytes_per_unit = 32;
    if (const auto* text = value != nullptr ? value->get_if<std::string>() : nullptr)
      work_.add(text->size() / bytes_per_unit);
    const auto size = value == nullptr ? std::nullopt : model::element_count(*value);
    if (!size) return {nullptr, true};
    storage = model::Number(static_cast<std::int64_t>(*size));
    return {&storage};
  }

  /// Returns true if both operands are there, and are `related`.
  template <class Related>
  bool both(std::size_t a, std::size_t b, Related related) {
    AttributeValue storage_a;
    AttributeValue storage_b;
    const Seen left = see(a, storage_a);
    const Seen right = see(b, storage_b);
    return left.value != nullptr && right.value != nullptr && related(*left.value, *right.value);
  }

  /// An absent value differs from every value, but a size that does not exist matches nothing
  /// (docs/service/expressions.md section 5).
  bool differ(std::size_t a, std::size_t b) {
    AttributeValue storage_a;
    AttributeValue storage_b;
    const Seen left = see(a, storage_a);
    const Seen right = see(b, storage_b);
    if (left.sizeless || right.sizeless) return false;
    return left.value == nullptr || right.value == nullptr || !equal(*left.value, *right.value);
  }

  bool in(const ConditionNode& node) {
    AttributeValue storage;
    const Seen subject = see(node.a, storage);
    if (subject.value == nullptr) return false;
    for (std::size_t i = 1; i < node.b; ++i) {
      AttributeValue storage_of_one;
      const Seen one = see(node.a + i, storage_of_one);
      if (one.value != nullptr && equal(*one.value, *subject.value)) return true;
    }
    return false;
  }

  const Parsed& parsed_;
  const ConditionAst& ast_;
  const Bindings& bindings_;
  const Constants& constants_;
  const model::Item* item_;
  model::Work& work_;
  std::vector<Known> known_;
};

bool is_constant(const Operand& operand) {
  return operand.kind == Operand::Kind::value || operand.kind == Operand::Kind::size_of_value;
}

/// Returns sizes by value slot. The binder has made sure that each value has one.
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
  model::Work unbounded;  // it is done once, and bounded by what was sent
  Evaluator evaluator(*parsed_, bindings_, constants_, nullptr, unbounded);
  for (std::size_t i = 0; i < ast.nodes.size(); ++i) {
    const std::size_t count = operand_count(ast.nodes[i]);
    if (count == 0) continue;
    if (!std::ranges::all_of(std::span(ast.operands).subspan(ast.nodes[i].a, count), is_constant)) continue;
    const bool outcome = evaluator.holds(static_cast<Slot>(i));
    constants_.outcomes.resize(ast.nodes.size());
    constants_.outcomes[i] = outcome;
  }
}

bool Condition::evaluate(const model::Item* item, model::Work& work) const {
  const auto root = std::get<ConditionAst>(parsed_->form).nodes.size() - 1;
  return Evaluator(*parsed_, bindings_, constants_, item, work).holds(static_cast<Slot>(root));
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
