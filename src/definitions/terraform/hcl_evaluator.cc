#include "hcl_evaluator.h"

#include <algorithm>
#include <utility>

#include "../members.h"
#include "hcl_expression.h"
#include "hcl_template.h"

namespace dinette::definitions::hcl {
namespace {

constexpr std::size_t most_steps = 2'000'000;  // values, and bytes of texts, of all expressions together
constexpr std::size_t most_instances = 1000;

using base::Failure;

/// Returns true if values that the user gives for a variable of that type are texts.
bool is_simple_type(const Attribute* type) {
  if (type == nullptr || type->expression.size() != 1) return type == nullptr;
  const std::string_view name = type->expression.front().text;
  return name == "string" || name == "number" || name == "bool" || name == "any";
}

std::vector<Instance> instances_of_keys(const Node& keys) {
  std::vector<Instance> instances;
  for (const Node& key : keys.elements()) instances.push_back({key, key});
  for (const Node::Member& member : keys.members()) {
    instances.push_back({Node::text(member.key), member.value});
  }
  std::ranges::sort(instances, {}, [](const Instance& instance) { return instance.key->scalar(); });
  return instances;
}

}  // namespace

bool Evaluator::charge(std::size_t steps) {
  steps_ += std::min(steps, most_steps);
  return steps_ <= most_steps;
}

Evaluator::Outcome<Value> Evaluator::evaluate(std::span<const Token> expression, const Instance& instance) {
  return ExpressionReader(*this, expression, instance).run();
}

Evaluator::Outcome<Value> Evaluator::evaluate_source(std::string_view source, unsigned line,
                                                     const Instance& instance) {
  if (!charge(source.size())) return Failure<std::string>("values that are too large");
  const auto tokens = tokens_of(source, line);
  if (!tokens) return Failure<std::string>(tokens.error().reason);
  return evaluate(*tokens, instance);
}

Evaluator::Outcome<Value> Evaluator::evaluate_template(std::string_view source, bool has_escapes,
                                                       unsigned line, const Instance& instance) {
  const auto parts = template_parts(source, has_escapes);
  if (!parts) return Failure<std::string>(parts.error());
  if (parts->size() == 1 && parts->front().is_expression)
    return evaluate_source(parts->front().text, line, instance);
  Value text{Node::text({}), {}};
  std::string joined;
  for (const TemplatePart& part : *parts) {
    if (!part.is_expression) {
      joined += part.text;
    } else {
      DINETTE_TRY(const Value value, evaluate_source(part.text, line, instance));
      if (!value.reference.empty()) {
        text.reference = value.reference;
      } else if (!value.node.is_scalar()) {
        return Failure<std::string>("a " + std::string(value.node.kind_name()) + " in a text");
      }
      joined += value.node.scalar();
    }
    if (!charge(joined.size())) return Failure<std::string>("values that are too large");
  }
  text.node = Node::text(std::move(joined));
  return text;
}

Evaluator::Outcome<Value> Evaluator::variable(std::string_view name) {
  const auto block = scope_.variables.find(name);
  if (block != scope_.variables.end() && !charge(block->second->body.attributes.size()))
    return Failure<std::string>("values that are too large");
  const Attribute* const type = block == scope_.variables.end() ? nullptr : block->second->body.find("type");
  if (const auto given = scope_.given.find(name); given != scope_.given.end()) {
    if (is_simple_type(type)) return Value{Node::text(given->second), {}};
    return evaluate_source(given->second, 0, {});
  }
  if (const auto of_file = scope_.values.find(name); of_file != scope_.values.end())
    return evaluate(of_file->second->expression, {});
  if (block == scope_.variables.end())
    return Failure<std::string>(
        "variable \"" + std::string(name) +
        "\" is not declared here; read the folder of its module, or give it by --param " + std::string(name) +
        "=VALUE");
  const Attribute* const value = block->second->body.find("default");
  if (value == nullptr)
    return Failure<std::string>("variable \"" + std::string(name) + "\" has no default; give it by --param " +
                                std::string(name) + "=VALUE");
  return evaluate(value->expression, {});
}

Evaluator::Outcome<Value> Evaluator::local(std::string_view name) {
  const auto found = scope_.locals.find(name);
  if (found == scope_.locals.end())
    return Failure<std::string>("local \"" + std::string(name) +
                                "\" is not declared here; read the folder of its module");
  return evaluate(found->second->expression, {});
}

Evaluator::Outcome<Value> Evaluator::resource_attribute(const std::string& resource,
                                                        const std::optional<Node>& key,
                                                        std::string_view attribute) {
  Instance instance{key, key ? *key : Node()};
  Value unknown{Node(), resource + instance.address_key() + '.' + std::string(attribute)};
  const auto block = scope_.resources.find(resource);
  if (block == scope_.resources.end()) return unknown;
  if (!charge(block->second->body.attributes.size()))
    return Failure<std::string>("values that are too large");
  const bool is_name = attribute == "id" && (resource.starts_with("aws_dynamodb_table.") ||
                                             resource.starts_with("aws_keyspaces_keyspace."));
  const Attribute* const found = block->second->body.find(is_name ? "name" : attribute);
  if (found == nullptr) return unknown;
  if (const Attribute* const keys = block->second->body.find("for_each"); keys != nullptr && key) {
    DINETTE_TRY(const Value values, evaluate(keys->expression, {}));
    if (const Node* const value = values.node.find(key->scalar())) instance.value = *value;
  }
  return evaluate(found->expression, instance);
}

Evaluator::Outcome<std::vector<Instance>> Evaluator::instances(const Body& resource) {
  std::vector<Instance> instances;
  if (const Attribute* const keys = resource.find("for_each")) {
    DINETTE_TRY(const Value value, evaluate(keys->expression, {}));
    if (!value.reference.empty()) return Failure<std::string>("for_each of " + value.reference);
    instances = instances_of_keys(value.node);
  } else if (const Attribute* const count = resource.find("count")) {
    DINETTE_TRY(const Value value, evaluate(count->expression, {}));
    const auto number = as_integer(value.node);
    if (!number || number->scalar().size() > 4) return Failure<std::string>("count is no small number");
    const int last = std::stoi(number->scalar());
    for (int i = 0; i < last && instances.size() <= most_instances; ++i)
      instances.push_back({Node::number(std::to_string(i)), {}});
  } else {
    instances.emplace_back();
  }
  if (instances.size() > most_instances)
    return Failure<std::string>("more than " + std::to_string(most_instances) + " instances");
  return instances;
}

}  // namespace dinette::definitions::hcl
