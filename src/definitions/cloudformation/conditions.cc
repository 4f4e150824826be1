#include <algorithm>

#include "evaluator.h"

/// The functions of conditions.
namespace dinette::definitions::cloudformation {
namespace {

base::Failure<EvaluationError> wrong_arguments(const FunctionCall& call, std::string_view needed) {
  return base::Failure{EvaluationError{call.argument->place(), call.name + " needs " + std::string(needed)}};
}

/// Compares as CloudFormation does, for which every scalar is a text.
bool same_value(const Node& left, const Node& right) {
  if (left.is_scalar() && right.is_scalar()) return left.scalar() == right.scalar();
  // Linear, where == of maps is not.
  return to_json(left) == to_json(right);
}

}  // namespace

base::Result<bool, EvaluationError> Evaluator::condition(const std::string& name, const Place& place) {
  const auto found = conditions_by_name_.find(name);
  if (found == conditions_by_name_.end())
    return base::Failure{EvaluationError{place, "there is no condition \"" + name + '"'}};
  const Node& definition = *found->second;
  DINETTE_TRY(const Node result, once("condition \"" + name + '"', place, [&]() -> Evaluated {
                DINETTE_TRY(const bool value, condition_value(definition));
                return Node::boolean(value);
              }));
  return result.scalar() == "true";
}

base::Result<bool, EvaluationError> Evaluator::is_created(const Node& resource) {
  const Node* const name = resource.find("Condition");
  if (name == nullptr) return true;
  return condition(name->scalar(), name->place());
}

base::Result<bool, EvaluationError> Evaluator::condition_value(const Node& node) {
  DINETTE_TRY(const auto nesting, enter(node.place()));
  DINETTE_CHECK(charge(1, node.place()));
  const Node* const named = node.members().size() == 1 ? node.find("Condition") : nullptr;
  if (named != nullptr) return condition(named->scalar(), named->place());
  DINETTE_TRY(const Node result, value(node));
  if (result.scalar() == "true") return true;
  if (result.scalar() == "false") return false;
  return base::Failure{EvaluationError{node.place(), "this is no condition"}};
}

Evaluated Evaluator::condition_call(const FunctionCall& call) {
  DINETTE_TRY(const bool value, condition(call.argument->scalar(), call.argument->place()));
  return Node::boolean(value);
}

Evaluated Evaluator::if_(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 3 || !parts[0].is_scalar())
    return wrong_arguments(call, "the name of a condition and two values");
  DINETTE_TRY(const bool chosen, condition(parts[0].scalar(), parts[0].place()));
  return value(chosen ? parts[1] : parts[2]);
}

Evaluated Evaluator::equals(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 2) return wrong_arguments(call, "two values");
  DINETTE_TRY(const Node left, value(parts[0]));
  DINETTE_TRY(const Node right, value(parts[1]));
  return Node::boolean(same_value(left, right));
}

Evaluated Evaluator::any_of(const FunctionCall& call, bool wanted) {
  if (call.argument->elements().empty()) return wrong_arguments(call, "a list of conditions");
  for (const Node& part : call.argument->elements()) {
    DINETTE_TRY(const bool value, condition_value(part));
    if (value == wanted) return Node::boolean(wanted);
  }
  return Node::boolean(!wanted);
}

Evaluated Evaluator::and_(const FunctionCall& call) {
  return any_of(call, false);
}

Evaluated Evaluator::or_(const FunctionCall& call) {
  return any_of(call, true);
}

Evaluated Evaluator::not_(const FunctionCall& call) {
  if (call.argument->elements().size() != 1) return wrong_arguments(call, "one condition");
  DINETTE_TRY(const bool value, condition_value(call.argument->elements().front()));
  return Node::boolean(!value);
}

}  // namespace dinette::definitions::cloudformation
