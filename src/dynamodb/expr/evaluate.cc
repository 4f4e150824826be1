#include <algorithm>
#include <compare>
#include <functional>

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/document.h"
#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {
namespace {

using model::AttributeValue;

/// UTF-16 code units of a UTF-8 text (facts: values.md section 6, size()).
std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continuation = (byte & 0xC0U) == 0x80U;
    units += continuation ? 0U : byte >= 0xF0U ? 2U : 1U;
  }
  return units;
}

struct SizeOf {
  std::optional<std::size_t> operator()(const std::string& text) const { return utf16_length(text); }
  std::optional<std::size_t> operator()(const model::Binary& binary) const { return binary.bytes.size(); }
  template <class Member>
  std::optional<std::size_t> operator()(const model::SetOf<Member>& set) const {
    return set.members.size();
  }
  std::optional<std::size_t> operator()(const model::List& list) const { return list.size(); }
  std::optional<std::size_t> operator()(const model::Map& map) const { return map.size(); }
  std::optional<std::size_t> operator()(const model::Number&) const { return std::nullopt; }
  std::optional<std::size_t> operator()(const model::Null&) const { return std::nullopt; }
  std::optional<std::size_t> operator()(bool) const { return std::nullopt; }
};

template <class Member>
bool holds_member(const AttributeValue& container, const AttributeValue& member) {
  const auto* one = member.get_if<Member>();
  return one != nullptr && container.get<model::SetOf<Member>>().contains(*one);
}

bool contains(const AttributeValue& container, const AttributeValue& member) {
  switch (container.type()) {
    case model::Type::string: {
      const auto* part = member.get_if<std::string>();
      return part != nullptr && container.get<std::string>().find(*part) != std::string::npos;
    }
    case model::Type::binary: {
      const auto* part = member.get_if<model::Binary>();
      return part != nullptr && container.get<model::Binary>().bytes.find(part->bytes) != std::string::npos;
    }
    case model::Type::string_set:
      return holds_member<std::string>(container, member);
    case model::Type::number_set:
      return holds_member<model::Number>(container, member);
    case model::Type::binary_set:
      return holds_member<model::Binary>(container, member);
    case model::Type::list:
      return std::ranges::find(container.get<model::List>(), member) != container.get<model::List>().end();
    default:
      return false;
  }
}

bool begins_with(const AttributeValue& value, const AttributeValue& start) {
  if (const auto* text = value.get_if<std::string>()) {
    const auto* part = start.get_if<std::string>();
    return part != nullptr && text->starts_with(*part);
  }
  if (const auto* binary = value.get_if<model::Binary>()) {
    const auto* part = start.get_if<model::Binary>();
    return part != nullptr && binary->bytes.starts_with(part->bytes);
  }
  return false;
}

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
  Evaluator(const Parsed& parsed, const Bindings& bindings, const model::Item* item)
      : parsed_(parsed), ast_(std::get<ConditionAst>(parsed.form)), bindings_(bindings), item_(item) {}

  // The depth is at most the number of operators an expression may have.
  bool holds(Slot slot) const {
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
        return both(node.a, node.a + 1U, begins_with);
      case ConditionOp::contains:
        return both(node.a, node.a + 1U, contains);
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
        return size_of(bindings_.values[operand.slot], storage);
    }
    return {};
  }

  static Seen size_of(const AttributeValue* value, AttributeValue& storage) {
    const auto size = value == nullptr ? std::nullopt : std::visit(SizeOf{}, value->alternatives());
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
  const model::Item* item_;
};

}  // namespace

bool Condition::evaluate(const model::Item* item) const {
  const auto root = std::get<ConditionAst>(parsed_->form).nodes.size() - 1;
  return Evaluator(*parsed_, bindings_, item).holds(static_cast<Slot>(root));
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
