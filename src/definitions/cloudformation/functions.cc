#include <charconv>

#include "evaluator.h"

/// Functions of texts and lists.
namespace dinette::definitions::cloudformation {
namespace {

constexpr std::size_t work_of_part = 64;

base::Failure<EvaluationError> misused(const FunctionCall& call, std::string_view needed) {
  return base::Failure{EvaluationError{call.argument->place(), call.name + " needs " + std::string(needed)}};
}

std::optional<std::size_t> index_of(const std::string& digits) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return index;
}

}  // namespace

Evaluated Evaluator::join(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 2) return misused(call, "a delimiter and a list");
  DINETTE_TRY(const std::string delimiter, text(parts[0], "the delimiter of Fn::Join"));
  DINETTE_TRY(const Node values, value(parts[1]));
  if (!values.is_list()) return misused(call, "a delimiter and a list");
  std::string result;
  bool first = true;
  for (const Node& each : values.elements()) {
    if (!each.is_scalar()) return misused(call, "a list of texts");
    DINETTE_CHECK(charge(delimiter.size() + each.scalar().size(), call.argument->place()));
    if (!std::exchange(first, false)) result += delimiter;
    result += each.scalar();
  }
  return Node::text(std::move(result));
}

Evaluated Evaluator::select(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 2) return misused(call, "an index and a list");
  DINETTE_TRY(const std::string digits, text(parts[0], "the index of Fn::Select"));
  DINETTE_TRY(Node values, value(parts[1]));
  const auto index = index_of(digits);
  if (!index || *index >= values.elements().size())
    return misused(call,
                   "an index of its list, which has " + std::to_string(values.elements().size()) + " values");
  return std::move(values.elements()[*index]);
}

Evaluated Evaluator::split(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 2) return misused(call, "a delimiter and a text");
  DINETTE_TRY(const std::string delimiter, text(parts[0], "the delimiter of Fn::Split"));
  DINETTE_TRY(const std::string whole, text(parts[1], "the text of Fn::Split"));
  if (delimiter.empty()) return misused(call, "a delimiter that is not empty");
  Node list = Node::list();
  for (std::size_t begin = 0;;) {
    DINETTE_CHECK(charge(work_of_part, call.argument->place()));
    const auto end = whole.find(delimiter, begin);
    list.append(Node::text(whole.substr(begin, end == std::string::npos ? end : end - begin)));
    if (end == std::string::npos) return list;
    begin = end + delimiter.size();
  }
}

Evaluated Evaluator::find_in_map(const FunctionCall& call) {
  const auto& parts = call.argument->elements();
  if (parts.size() != 3 && parts.size() != 4) return misused(call, "a map and two keys");
  DINETTE_TRY(const std::string name, text(parts[0], "the map of Fn::FindInMap"));
  DINETTE_TRY(const std::string first, text(parts[1], "a key of Fn::FindInMap"));
  DINETTE_TRY(const std::string second, text(parts[2], "a key of Fn::FindInMap"));
  const auto mapping = mappings_.find(name);
  const Node* const inner = mapping == mappings_.end() ? nullptr : mapping->second->find(first);
  const Node* const found = inner == nullptr ? nullptr : inner->find(second);
  if (mapping != mappings_.end())
    DINETTE_CHECK(charge(mapping->second->members().size(), call.argument->place()));
  if (inner != nullptr) DINETTE_CHECK(charge(inner->members().size(), call.argument->place()));
  if (found != nullptr) return value(*found);
  const Node* const fallback = parts.size() == 4 ? parts[3].find("DefaultValue") : nullptr;
  if (fallback != nullptr) return value(*fallback);
  return base::Failure{
      EvaluationError{call.argument->place(), "Mappings has no " + name + '.' + first + '.' + second}};
}

Evaluated Evaluator::import_value(const FunctionCall& call) {
  DINETTE_TRY(const std::string name, text_argument(call));
  const auto found = surroundings_.imports.find(name);
  if (found != surroundings_.imports.end()) return Node::text(found->second);
  return base::Failure{EvaluationError{
      call.argument->place(), "the value that another stack exports as \"" + name + "\" is not known"}};
}

Evaluated Evaluator::length(const FunctionCall& call) {
  DINETTE_TRY(const Node values, argument(call));
  if (!values.is_list()) return misused(call, "a list");
  return Node::number(std::to_string(values.elements().size()));
}

Evaluated Evaluator::to_json_string(const FunctionCall& call) {
  DINETTE_TRY(const Node value, argument(call));
  std::string json = to_json(value);
  DINETTE_CHECK(charge(json.size(), call.argument->place()));
  return Node::text(std::move(json));
}

}  // namespace dinette::definitions::cloudformation
