#include "evaluator.h"

#include <algorithm>
#include <array>
#include <utility>

#include "for_each.h"

namespace dinette::definitions::cloudformation {
namespace {

constexpr std::size_t work_of_value = 64;
constexpr int deepest_nesting = 200;

std::unordered_map<std::string_view, const Node*> by_key(const Node* section) {
  std::unordered_map<std::string_view, const Node*> index;
  if (section == nullptr) return index;
  for (const Node::Member& member : section->members()) index.emplace(member.key, &member.value);
  return index;
}

}  // namespace

void Findings::add(const Findings& other) {
  missing.insert(other.missing.begin(), other.missing.end());
  supposed.insert(other.supposed.begin(), other.supposed.end());
  pseudo.insert(other.pseudo.begin(), other.pseudo.end());
}

Evaluator::Evaluator(const Node& root, const Surroundings& surroundings, std::string stack, Reading& reading)
    : root_(root),
      surroundings_(surroundings),
      stack_(std::move(stack)),
      parameters_(root.find("Parameters"), surroundings.parameters),
      mappings_(by_key(root.find("Mappings"))),
      reading_(reading) {
  conditions_by_name_ = by_key(expanded("Conditions", made_conditions_));
  const Node* const resources = expanded("Resources", made_resources_);
  resources_ = resources == nullptr ? &made_resources_ : resources;
  resources_by_id_ = by_key(resources_);
  // What a loop needed is not what the first table needs.
  for (const std::string& name : take_findings().missing) {
    errors_.push_back(
        {root.place(), "a Fn::ForEach needs the parameter \"" + name + "\", which has no value"});
  }
}

const Node* Evaluator::expanded(std::string_view section, Node& with_loops) {
  const Node* const given = root_.find(section);
  const auto loops = [](const Node::Member& member) { return is_loop(member.key); };
  if (given == nullptr || std::ranges::none_of(given->members(), loops)) return given;
  with_loops = Node::map();
  std::set<std::string> keys;
  const auto add = [&](Node::Member member) {
    if (keys.insert(member.key).second) {
      with_loops.members().push_back(std::move(member));
    } else {
      errors_.push_back({member.value.place(), '"' + member.key + "\" is there twice"});
    }
  };
  for (const Node::Member& member : given->members()) {
    if (!is_loop(member.key)) {
      add(member);
    } else if (auto made = expand_loop(member.value, *this)) {
      for (Node::Member& each : *made) add(std::move(each));
    } else {
      errors_.push_back(std::move(made.error()));
    }
  }
  return &with_loops;
}

base::Result<Evaluator::Nesting, EvaluationError> Evaluator::enter(const Place& place) {
  if (depth_ >= deepest_nesting)
    return base::Failure{EvaluationError{place, "values and references nest too deeply"}};
  return Nesting(depth_);
}

base::Result<void, EvaluationError> Evaluator::charge(std::size_t work, const Place& place) {
  reading_.work_left -= std::min(work, reading_.work_left);
  if (exhausted())
    return base::Failure{EvaluationError{place, "the template makes too many values, or too long ones"}};
  return {};
}

Evaluated Evaluator::once(const std::string& key, const Place& place,
                          base::FunctionRef<Evaluated()> evaluate) {
  const auto [at, first] = remembered_.try_emplace(key);
  Remembered& remembered = at->second;
  if (first) {
    const Findings before = take_findings();
    Evaluated result = evaluate();
    remembered.findings = std::exchange(findings_, before);
    remembered.result.emplace(std::move(result));
  } else if (!remembered.result) {
    return base::Failure{EvaluationError{place, "the " + key + " depends on itself"}};
  }
  DINETTE_CHECK(charge(remembered.findings.size(), place));
  findings_.add(remembered.findings);
  return *remembered.result;
}

Evaluated Evaluator::value(const Node& node) {
  DINETTE_TRY(const auto nesting, enter(node.place()));
  const auto found = find_call(node);
  Evaluated result = found ? call(*found) : literal(node);
  // A value has the place of what made it, for messages.
  if (result.ok() && !result->place().file) result->set_place(node.place());
  return result;
}

Evaluator::Function Evaluator::find_function(std::string_view name) {
  struct Known {
    std::string_view name;
    Function function;
  };
  static constexpr auto functions = std::to_array<Known>({
      {"Ref", &Evaluator::ref},
      {"Condition", &Evaluator::condition_call},
      {"Fn::GetAtt", &Evaluator::get_att},
      {"Fn::Sub", &Evaluator::sub},
      {"Fn::Join", &Evaluator::join},
      {"Fn::Select", &Evaluator::select},
      {"Fn::Split", &Evaluator::split},
      {"Fn::FindInMap", &Evaluator::find_in_map},
      {"Fn::ImportValue", &Evaluator::import_value},
      {"Fn::Length", &Evaluator::length},
      {"Fn::ToJsonString", &Evaluator::to_json_string},
      {"Fn::If", &Evaluator::if_},
      {"Fn::Equals", &Evaluator::equals},
      {"Fn::And", &Evaluator::and_},
      {"Fn::Or", &Evaluator::or_},
      {"Fn::Not", &Evaluator::not_},
  });
  const auto* const found = std::ranges::find(functions, name, &Known::name);
  return found == functions.end() ? nullptr : found->function;
}

Evaluated Evaluator::call(const FunctionCall& call) {
  if (const Function function = find_function(call.name)) return (this->*function)(call);
  return base::Failure{EvaluationError{call.argument->place(), call.name + " cannot be evaluated here"}};
}

Evaluated Evaluator::argument(const FunctionCall& call) {
  if (!call.tagged) return value(*call.argument);
  const auto inner = find_untagged_call(*call.argument);
  return inner ? this->call(*inner) : literal(*call.argument);
}

Evaluated Evaluator::literal(const Node& node) {
  if (node.is_list()) return list(node);
  return node.is_map() ? map(node) : scalar(node);
}

Evaluated Evaluator::scalar(const Node& node) {
  DINETTE_CHECK(charge(work_of_value + node.scalar().size(), node.place()));
  if (node.scalar().find("{{resolve:") != std::string::npos)
    return base::Failure{
        EvaluationError{node.place(), "a dynamic reference ({{resolve:...}}) has no value here"}};
  Node copy = node;
  copy.set_tag({});
  return copy;
}

Evaluated Evaluator::list(const Node& node) {
  DINETTE_CHECK(charge(work_of_value, node.place()));
  Node list = Node::list();
  list.set_place(node.place());
  for (const Node& element : node.elements()) {
    DINETTE_TRY(Node inner, value(element));
    if (!inner.is_null()) list.elements().push_back(std::move(inner));
  }
  return list;
}

Evaluated Evaluator::map(const Node& node) {
  DINETTE_CHECK(charge(work_of_value, node.place()));
  Node map = Node::map();
  map.set_place(node.place());
  for (const Node::Member& member : node.members()) {
    if (is_loop(member.key)) {
      DINETTE_TRY(const auto made, expand_loop(member.value, *this));
      for (const Node::Member& each : made) {
        DINETTE_TRY(Node inner, value(each.value));
        DINETTE_CHECK(charge(map.members().size(), node.place()));
        if (!inner.is_null()) map.set(each.key, std::move(inner));
      }
    } else {
      DINETTE_TRY(Node inner, value(member.value));
      if (!inner.is_null()) map.members().push_back({member.key, std::move(inner)});
    }
  }
  return map;
}

base::Result<std::string, EvaluationError> Evaluator::text(const Node& node, std::string_view what) {
  DINETTE_TRY(const Node value, this->value(node));
  if (!value.is_scalar())
    return base::Failure{EvaluationError{node.place(), std::string(what) + " is no text"}};
  return value.scalar();
}

base::Result<std::string, EvaluationError> Evaluator::text_argument(const FunctionCall& call) {
  DINETTE_TRY(const Node value, argument(call));
  if (!value.is_scalar())
    return base::Failure{EvaluationError{call.argument->place(), call.name + " needs a text"}};
  return value.scalar();
}

}  // namespace dinette::definitions::cloudformation
