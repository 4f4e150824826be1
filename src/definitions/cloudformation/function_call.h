#pragma once

#include <optional>
#include <string>

#include "dinette/definitions/node.h"

namespace dinette::definitions::cloudformation {

/// A call of an intrinsic function: `!Sub x`, or `{"Fn::Sub": "x"}`.
struct FunctionCall {
  std::string name;      ///< "Ref", "Condition", "Fn::Sub"
  const Node* argument;  ///< may have the tag of the call itself
  bool tagged = false;   ///< called by a short tag, which `argument` has
};

/// Returns the call that a value is, or nothing. `{"Condition": "X"}` is none: only conditions call by it.
std::optional<FunctionCall> find_call(const Node& value);

/// The same for a value whose tag has been dealt with.
std::optional<FunctionCall> find_untagged_call(const Node& value);

}  // namespace dinette::definitions::cloudformation
