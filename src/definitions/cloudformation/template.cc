#include "template.h"

#include <algorithm>

#include "for_each.h"
#include "resource_types.h"
#include "stack_reader.h"

namespace dinette::definitions {
namespace cloudformation {
namespace {

bool is_resource(const Node::Member& member) {
  return is_loop(member.key) || !type_of_resource(member.value).empty();
}

bool is_template(const Node& root) {
  const Node* const resources = root.find("Resources");
  if (resources == nullptr || !resources->is_map()) return false;
  return root.has("AWSTemplateFormatVersion") || std::ranges::any_of(resources->members(), is_resource);
}

void read_template(const Node& root, const Input& input, Definitions& to) {
  Reading reading;
  StackReader reader(root, input, reading, 0, to);
  reader.read_tables();
  reader.read_triggers();
}

/// Evaluates a text of an output.
std::string evaluated_text(Evaluator& evaluator, const Node* value) {
  if (value == nullptr) return {};
  const Evaluated result = evaluator.value(*value);
  const bool known = evaluator.take_findings().missing.empty();
  return result.ok() && known ? result->scalar() : std::string();
}

}  // namespace

std::map<std::string, std::string, std::less<>> exports_of(const Node& root, const Input& input,
                                                           Reading& reading) {
  std::map<std::string, std::string, std::less<>> exports;
  const Node* const outputs = root.find("Outputs");
  if (outputs == nullptr) return exports;
  Evaluator evaluator(root, input.surroundings, stack_name(input), reading);
  for (const Node::Member& output : outputs->members()) {
    const std::string name = evaluated_text(evaluator, output.value.find("Export", "Name"));
    const std::string value = name.empty() ? name : evaluated_text(evaluator, output.value.find("Value"));
    if (!value.empty()) exports.emplace(name, value);
  }
  return exports;
}

}  // namespace cloudformation

constinit const Format cloudformation_format = {"a CloudFormation template", &cloudformation::is_template,
                                                &cloudformation::read_template};

}  // namespace dinette::definitions
