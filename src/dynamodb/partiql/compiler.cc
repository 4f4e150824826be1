#include "dynamodb/partiql/compiler.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "dynamodb/codec/inputs.h"
#include "dynamodb/partiql/literal.h"
#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {

using base::Failure;

namespace {

/// Returns a list position, or the reason why it is not one.
Checked<std::uint32_t> position_of(const Source& source, const Node& step) {
  const Node& index = source.tree.child(step, 0);
  if (index.kind != NodeKind::number) return Failure{"Unexpected path component at " + source.place(index)};
  const std::string& digits = source.text(index);
  std::uint32_t position = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), position);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && position <= std::numeric_limits<std::int32_t>::max() && (!index.negated || position == 0))
    return position;
  return Failure{"List index is not within the allowable range; index: [" +
                 std::string(index.negated ? "-" : "") + digits + "] at " + source.place(index)};
}

}  // namespace

Checked<void> Constants::convert(NodeId id) {
  if (slots_.empty()) slots_.resize(tree_.nodes.size());
  const Node& node = tree_.at(id);
  if (node.kind == NodeKind::parameter) {
    keep(id, {node.ordinal, {}});
    return {};
  }
  if (is_literal(node.kind)) {
    DINETTE_TRY(model::AttributeValue value, literal(tree_, id));
    keep(id, {std::nullopt, std::move(value)});
    return {};
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = tree_.child(node, i);
    const std::string& op = tree_.token(node).text;
    // Members of IN are separate constants; positions are not values.
    const bool members = node.kind == NodeKind::binary && i == 1 && child.kind == NodeKind::list &&
                         (op == "in" || op == "not_in");
    if (members) {
      for (const NodeId member : child.children) DINETTE_CHECK(convert(member));
    } else if (child.kind != NodeKind::step_index) {
      DINETTE_CHECK(convert(node.children[i]));
    }
  }
  return {};
}

void Constants::keep(NodeId id, Constant constant) {
  slots_[id] = static_cast<std::uint32_t>(statement_.constants.size());
  statement_.constants.push_back(std::move(constant));
}

bool Paths::is_path(const Node& node) const {
  return node.kind == NodeKind::name || node.kind == NodeKind::path;
}

Checked<expr::Path> Paths::path(const Node& node) {
  const std::size_t first = parsed_.elements.size();
  if (node.kind == NodeKind::name) {
    DINETTE_CHECK(add_name(source_.text(node)));
  } else {
    const Node& root = source_.tree.child(node, 0);
    if (root.kind != NodeKind::name) return Failure{"Unexpected path component at " + source_.place(root)};
    DINETTE_CHECK(add_name(source_.text(root)));
    for (std::size_t i = 1; i < node.children.size(); ++i)
      DINETTE_CHECK(add_step(source_.tree.child(node, i)));
  }
  return expr::Path{static_cast<expr::Slot>(first), static_cast<expr::Slot>(parsed_.elements.size() - first)};
}

Checked<expr::Slot> Paths::slot(const Node& node) {
  DINETTE_TRY(const expr::Path made, path(node));
  parsed_.paths.push_back(made);
  return static_cast<expr::Slot>(parsed_.paths.size() - 1);
}

Checked<void> Paths::add_step(const Node& step) {
  if (step.kind == NodeKind::step_name) return add_name(source_.text(step));
  if (step.kind != NodeKind::step_index)
    return Failure{"Unexpected path component at " + source_.place(step)};
  DINETTE_TRY(const std::uint32_t position, position_of(source_, step));
  parsed_.elements.push_back({true, position});
  return {};
}

// An update would store an attribute under the name (docs/service/values.md section 4).
Checked<void> Paths::add_name(const std::string& name) {
  if (const auto* problem = codec::problem_of_name(name)) return Failure{problem->message};
  const auto known = std::ranges::find(parsed_.names, name, &expr::Name::text);
  parsed_.elements.push_back({false, static_cast<std::uint32_t>(known - parsed_.names.begin())});
  if (known == parsed_.names.end()) parsed_.names.push_back({name, false});
  return {};
}

bool same_path(const Tree& tree, const Node& a, const Node& b) {
  if (a.kind != b.kind || a.children.size() != b.children.size()) return false;
  if (a.children.empty()) return tree.token(a).text == tree.token(b).text;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same_path(tree, tree.child(a, i), tree.child(b, i))) return false;
  }
  return true;
}

Failure<std::string> operand_count(std::string_view op, std::size_t count) {
  return {"Incorrect number of operands for operator or function; operator or function: " + std::string(op) +
          ", number of operands: " + std::to_string(count)};
}

Failure<std::string> unrecognized(const Source& source, const Node& call) {
  return {"Unrecognized function: " + lowered(source.text(call)) + " at " + source.place(call)};
}

}  // namespace dinette::dynamodb::partiql
