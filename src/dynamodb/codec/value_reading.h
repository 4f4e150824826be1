#pragma once

#include <optional>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::codec {

/// The state of reading one attribute value or one map of them.
struct ValueReading {
  int levels = model::limits::nesting_levels;  ///< that a value may have
  std::optional<ValueProblem> problem = {};
  bool nested_empty_name = false;

  [[gnu::cold]] void note(std::string message, bool malformed = false) {
    if (!problem) problem = ValueProblem{std::move(message), malformed};
  }
  /// The first problem in the order of the text; empty nested names are met after all others
  /// (docs/service/values.md section 4).
  std::optional<ValueProblem> result() && {
    if (!problem && nested_empty_name) note(std::string(model::empty_attribute_name), true);
    return std::move(problem);
  }
};

}  // namespace dinette::dynamodb::codec
