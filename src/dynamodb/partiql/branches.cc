#include "dynamodb/partiql/branches.h"

#include <algorithm>
#include <utility>

#include "dynamodb/expr/document.h"
#include "dynamodb/expr/key_condition.h"

namespace dinette::dynamodb::partiql {
namespace {

using expr::ConditionNode;
using expr::ConditionOp;
using expr::KeyOperator;
using expr::Operand;
using expr::Slot;

/// Equal branches may make one another more and more; so many are good for nothing.
constexpr std::size_t most_branches = 1000;

/// The operator of a condition whose operands are a key attribute and a constant, or the other way round.
std::optional<KeyOperator> key_operator(ConditionOp op, bool constant_first) {
  if (op == ConditionOp::in) return KeyOperator::equal;
  const auto as_written = expr::key_operator(op);
  return as_written && constant_first ? expr::mirrored(*as_written) : as_written;
}

class Decomposer {
 public:
  Decomposer(const expr::Parsed& where, const expr::Bindings& bindings, const KeyNames& key)
      : parsed_(where), ast_(std::get<expr::ConditionAst>(where.form)), bindings_(bindings), key_(key) {}

  Branches decompose() {
    std::vector<Branch> all = branches(static_cast<Slot>(ast_.nodes.size() - 1));
    const bool keyed =
        !scans_ && std::ranges::all_of(all, [](const Branch& one) { return one.hash.has_value(); });
    if (too_many_) return {{}, true};
    return {keyed ? std::move(all) : std::vector<Branch>(), false};
  }

 private:
  /// A condition on a key attribute against constants.
  struct KeyCondition {
    bool on_hash;
    std::optional<KeyTerm> term;  ///< none: of a kind that no key is read by
  };

  // The depth is that of the condition.
  std::vector<Branch> branches(Slot slot) {
    const ConditionNode& node = ast_.nodes[slot];
    if (scans_ || too_many_) return {};
    if (node.op == ConditionOp::logical_and) return both(branches(node.a), branches(node.b));
    if (node.op == ConditionOp::logical_or && on_key(slot)) return either(branches(node.a), branches(node.b));
    if (node.op == ConditionOp::logical_not && on_key(slot)) scans_ = true;
    Branch branch;
    if (const auto condition = key_condition(node)) {
      if (!condition->term) scans_ = true;
      (condition->on_hash ? branch.hash : branch.range) = condition->term;
    } else {
      collect(slot, branch.filtered);
    }
    return {std::move(branch)};
  }

  std::vector<Branch> either(std::vector<Branch> left, std::vector<Branch> right) {
    std::ranges::move(right, std::back_inserter(left));
    too_many_ = too_many_ || left.size() > most_branches;
    return left;
  }

  std::vector<Branch> both(const std::vector<Branch>& left, const std::vector<Branch>& right) {
    std::vector<Branch> all;
    too_many_ = too_many_ || left.size() * right.size() > most_branches;
    if (too_many_) return all;
    for (const Branch& one : left) {
      for (const Branch& other : right) all.push_back(met(one, other));
    }
    return all;
  }

  /// Combines branches. Two different conditions on one key attribute do not make a key read.
  Branch met(Branch one, const Branch& other) {
    add(one.hash, other.hash);
    add(one.range, other.range);
    for (const std::string_view name : other.filtered) {
      if (std::ranges::find(one.filtered, name) == one.filtered.end()) one.filtered.push_back(name);
    }
    return one;
  }

  void add(std::optional<KeyTerm>& term, const std::optional<KeyTerm>& other) {
    if (!other) return;
    const bool several = other->op == KeyOperator::equal && other->values.size() > 1;
    if (term && (several || !(*term == *other))) scans_ = true;
    term = other;
  }

  /// Returns true if something in the condition is about a key attribute.
  bool on_key(Slot slot) const {
    const ConditionNode& node = ast_.nodes[slot];
    switch (node.op) {
      case ConditionOp::logical_and:
      case ConditionOp::logical_or:
        return on_key(node.a) || on_key(node.b);
      case ConditionOp::logical_not:
        return on_key(node.a);
      default:
        return key_condition(node).has_value();
    }
  }

  std::optional<KeyCondition> key_condition(const ConditionNode& node) const {
    const std::size_t count = operand_count(node);
    if (count < 2) return std::nullopt;
    const bool constant_first = is_constant(node.a) && count == 2 && node.op != ConditionOp::begins_with;
    const std::size_t subject = node.a + (constant_first ? 1U : 0U);
    const bool on_hash = is_attribute(subject, key_.hash);
    if (!on_hash && !(!key_.range.empty() && is_attribute(subject, key_.range))) return std::nullopt;
    KeyTerm term;
    for (std::size_t i = node.a; i < node.a + count; ++i) {
      if (i == subject) continue;
      if (!is_constant(i)) return std::nullopt;
      term.values.push_back(bindings_.values[ast_.operands[i].slot]);
    }
    if (node.op == ConditionOp::not_equal) return KeyCondition{on_hash, std::nullopt};
    const auto op = key_operator(node.op, constant_first);
    if (!op) return std::nullopt;
    term.op = *op;
    if (on_hash && term.op != KeyOperator::equal) return KeyCondition{on_hash, std::nullopt};
    return KeyCondition{on_hash, std::move(term)};
  }

  bool is_constant(std::size_t operand) const { return ast_.operands[operand].kind == Operand::Kind::value; }

  bool is_attribute(std::size_t operand, std::string_view name) const {
    if (ast_.operands[operand].kind != Operand::Kind::path) return false;
    const expr::Path path = parsed_.paths[ast_.operands[operand].slot];
    return path.count == 1 && expr::root_name(parsed_, bindings_, path) == name;
  }

  void collect(Slot slot, std::vector<std::string_view>& names) const {
    const ConditionNode& node = ast_.nodes[slot];
    if (operand_count(node) == 0) {
      collect(node.a, names);
      if (node.op != ConditionOp::logical_not) collect(node.b, names);
      return;
    }
    for (std::size_t i = node.a; i < node.a + operand_count(node); ++i) {
      const Operand& operand = ast_.operands[i];
      if (operand.kind == Operand::Kind::condition) collect(operand.slot, names);
      if (operand.kind != Operand::Kind::path && operand.kind != Operand::Kind::size_of_path) continue;
      const std::string_view name = expr::root_name(parsed_, bindings_, parsed_.paths[operand.slot]);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }

  const expr::Parsed& parsed_;
  const expr::ConditionAst& ast_;
  const expr::Bindings& bindings_;
  const KeyNames& key_;
  bool scans_ = false;
  bool too_many_ = false;
};

}  // namespace

bool operator==(const KeyTerm& a, const KeyTerm& b) {
  return a.op == b.op &&
         std::ranges::equal(a.values, b.values, [](const auto* x, const auto* y) { return *x == *y; });
}

Branches branches_of(const expr::Parsed& where, const expr::Bindings& bindings, const KeyNames& key) {
  return Decomposer(where, bindings, key).decompose();
}

}  // namespace dinette::dynamodb::partiql
