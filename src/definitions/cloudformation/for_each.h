#pragma once

#include <string_view>
#include <vector>

#include "evaluator.h"

namespace dinette::definitions::cloudformation {

/// Returns true if a member of that key is a loop of the language extensions.
inline bool is_loop(std::string_view key) {
  return key.starts_with("Fn::ForEach::");
}

/// Returns the members that a loop makes, those of loops within it as well. Charges the evaluator for them.
base::Result<std::vector<Node::Member>, EvaluationError> expand_loop(const Node& loop, Evaluator& evaluator);

}  // namespace dinette::definitions::cloudformation
