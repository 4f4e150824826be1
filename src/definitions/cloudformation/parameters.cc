#include "parameters.h"

#include <algorithm>

namespace dinette::definitions::cloudformation {
namespace {

std::string_view type_of(const Node& parameter) {
  const Node* const type = parameter.find("Type");
  return type == nullptr ? std::string_view() : std::string_view(type->scalar());
}

bool is_list_type(std::string_view type) {
  return type == "CommaDelimitedList" || type.starts_with("List<") ||
         type.find("::Value<List<") != type.npos || type.find("::Value<CommaDelimitedList>") != type.npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Node split_at_commas(std::string_view text) {
  Node list = Node::list();
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    list.append(Node::text(std::string(trimmed(text.substr(0, comma)))));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list;
}

bool is_number_text(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_of("0123456789") != text.npos &&
         text.find_first_not_of("0123456789.") == text.npos && std::ranges::count(text, '.') <= 1;
}

/// Returns why the template does not allow the value; empty if it does.
std::string refusal_of(const Node& parameter, std::string_view value) {
  if (type_of(parameter) == "Number" && !is_number_text(value)) return "is no number";
  const Node* const allowed = parameter.find("AllowedValues");
  if (allowed == nullptr || !allowed->is_list()) return {};
  const bool found = std::ranges::any_of(allowed->elements(),
                                         [value](const Node& element) { return element.scalar() == value; });
  return found ? "" : "is not among its AllowedValues";
}

}  // namespace

Parameters::Parameters(const Node* section, const Given& given) : given_(given) {
  if (section == nullptr) return;
  for (const Node::Member& member : section->members()) declared_.emplace(member.key, &member.value);
}

base::Result<Node, Note> Parameters::value(std::string_view name) const {
  const Node& parameter = *declared_.at(name);
  const auto given = given_.find(name);
  std::string text;
  if (given != given_.end()) {
    text = given->second;
  } else {
    const Node* const fallback = parameter.find("Default");
    // The default of such a type is the path of a value that only the service knows.
    const bool path = type_of(parameter).starts_with("AWS::SSM::Parameter::Value<");
    if (fallback == nullptr || !fallback->is_scalar() || path) return Node();
    text = fallback->scalar();
  }
  const bool list = is_list_type(type_of(parameter));
  if (const std::string reason = list ? "" : refusal_of(parameter, text); !reason.empty())
    return base::Failure{
        Note{parameter.place(), "parameter \"" + std::string(name) + "\": \"" + text + "\" " + reason}};
  Node value = list ? split_at_commas(text) : Node::text(std::move(text));
  value.set_place(parameter.place());
  return value;
}

}  // namespace dinette::definitions::cloudformation
