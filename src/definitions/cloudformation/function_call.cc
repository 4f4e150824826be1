#include "function_call.h"

#include "for_each.h"

namespace dinette::definitions::cloudformation {
namespace {

std::string long_name(const std::string& tag) {
  return tag == "Ref" || tag == "Condition" ? tag : "Fn::" + tag;
}

}  // namespace

std::optional<FunctionCall> find_call(const Node& value) {
  if (!value.tag().empty()) return FunctionCall{long_name(value.tag()), &value, true};
  return find_untagged_call(value);
}

std::optional<FunctionCall> find_untagged_call(const Node& value) {
  if (value.members().size() != 1) return {};
  const Node::Member& only = value.members().front();
  const bool function = only.key == "Ref" || (only.key.starts_with("Fn::") && !is_loop(only.key));
  return function ? std::optional(FunctionCall{only.key, &only.value, false}) : std::nullopt;
}

}  // namespace dinette::definitions::cloudformation
