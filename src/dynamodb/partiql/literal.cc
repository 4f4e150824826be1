#include "dynamodb/partiql/literal.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::partiql {
namespace {

using base::Failure;
using model::AttributeValue;

class Literals {
 public:
  explicit Literals(const Tree& tree) : tree_(tree) {}

  Checked<AttributeValue> value(const Node& node, const std::string& place, int containers) const {
    if (containers >= model::limits::nesting_levels)
      return Failure{"Nesting Levels have exceeded supported limits under " + place};
    switch (node.kind) {
      case NodeKind::string:
        return AttributeValue(tree_.token(node).text);
      case NodeKind::number: {
        DINETTE_TRY(const model::Number made, number(node, place));
        return AttributeValue(made);
      }
      case NodeKind::boolean:
        return AttributeValue(tree_.token(node).text == "true");
      case NodeKind::null:
        return AttributeValue(model::Null{});
      case NodeKind::list:
        return list(node, place, containers);
      case NodeKind::structure:
        return map(node, place, containers);
      case NodeKind::bag:
        return set(node, place);
      default:
        return unsupported_data(tree_, node, place);
    }
  }

 private:
  Checked<model::Number> number(const Node& node, const std::string& place) const {
    const std::string& text = tree_.token(node).text;
    const auto number = model::Number::parse(text);
    if (!number)
      return Failure{model::message(number.error(), text, model::Generation::current) + " under " + place};
    return node.negated ? negate(*number) : *number;
  }

  Checked<AttributeValue> list(const Node& node, const std::string& place, int containers) const {
    model::List elements;
    for (const NodeId child : node.children) {
      const std::string at = place + '[' + std::to_string(elements.size()) + ']';
      DINETTE_TRY(AttributeValue element, value(tree_.at(child), at, containers + 1));
      elements.push_back(std::move(element));
    }
    return AttributeValue(std::move(elements));
  }

  Checked<AttributeValue> map(const Node& node, const std::string& place, int containers) const {
    std::vector<model::Attribute> attributes;
    for (const NodeId child : node.children) {
      const Node& member = tree_.at(child);
      const Node& key = tree_.child(member, 0);
      if (key.kind != NodeKind::string) return unsupported_data(tree_, key, place);
      const std::string& name = tree_.token(key).text;
      DINETTE_TRY(AttributeValue of_key, value(tree_.child(member, 1), place + '.' + name, containers + 1));
      if (const auto* problem = codec::problem_of_name(name)) return Failure{problem->message};
      attributes.push_back({name, std::move(of_key)});
    }
    return AttributeValue(model::Map::from_unsorted(std::move(attributes)));
  }

  Checked<AttributeValue> set(const Node& node, const std::string& place) const {
    if (node.children.empty()) return Failure{std::string("Empty bags are not supported")};
    const NodeKind kind = tree_.child(node, 0).kind;
    const auto same_kind = [&](NodeId child) { return tree_.at(child).kind == kind; };
    if ((kind != NodeKind::string && kind != NodeKind::number) ||
        !std::ranges::all_of(node.children, same_kind)) {
      return Failure{std::string(
          "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags")};
    }
    return kind == NodeKind::string ? string_set(node) : number_set(node, place);
  }

  Checked<AttributeValue> string_set(const Node& node) const {
    std::vector<std::string> members;
    for (const NodeId child : node.children) members.push_back(tree_.token(tree_.at(child)).text);
    DINETTE_TRY(model::StringSet set, model::make_string_set(std::move(members), model::Generation::older));
    return AttributeValue(std::move(set));
  }

  Checked<AttributeValue> number_set(const Node& node, const std::string& place) const {
    std::vector<model::Number> members;
    std::string written;
    for (const NodeId child : node.children) {
      const Node& member = tree_.at(child);
      const std::string at = place + '[' + std::to_string(members.size()) + ']';
      DINETTE_TRY(const model::Number value, number(member, at));
      members.push_back(value);
      written.append(written.empty() ? "" : ", ")
          .append(member.negated ? "-" : "")
          .append(tree_.token(member).text);
    }
    auto set = model::make_number_set(std::move(members), model::Generation::current);
    if (!set) {
      return Failure{std::string(model::invalid_parameters) + "Input collection [" + written +
                     "] contains duplicates! under " + place};
    }
    return AttributeValue(*std::move(set));
  }

  const Tree& tree_;
};

/// Returns the name in messages of something that is not a value.
std::string kind_name(const Tree& tree, const Node& node) {
  if (node.kind == NodeKind::parameter) return "Parameter";
  return tree.token(node).text;
}

}  // namespace

bool is_literal(NodeKind kind) {
  switch (kind) {
    case NodeKind::string:
    case NodeKind::number:
    case NodeKind::boolean:
    case NodeKind::null:
    case NodeKind::list:
    case NodeKind::bag:
    case NodeKind::structure:
      return true;
    default:
      return false;
  }
}

Checked<AttributeValue> literal(const Tree& tree, NodeId id) {
  return Literals(tree).value(tree.at(id), "root", 0);
}

Failure<std::string> unsupported_data(const Tree& tree, const Node& node, const std::string& place) {
  return {"Unsupported data type: " + kind_name(tree, node) + " under key " + place + " at " +
          tree.token(node).position.text()};
}

}  // namespace dinette::dynamodb::partiql
