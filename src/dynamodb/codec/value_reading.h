#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::codec {

/// The kinds of problems in the order in which a transaction meets them (docs/service/transactions.md
/// section 4).
enum class ProblemKind { nameless_attribute, depth, nameless_entry, value };

/// The state of reading one attribute value or one map of them.
struct ValueReading {
  int levels = model::limits::nesting_levels;  ///< that a value may have
  ProblemOrder order = ProblemOrder::of_text;
  std::optional<ValueProblem> problem = {};
  ProblemKind kind = ProblemKind::value;  ///< of the problem
  bool nested_empty_name = false;

  [[gnu::cold]] void note(std::string message, bool malformed = false,
                          ProblemKind of_kind = ProblemKind::value) {
    note(ValueProblem{.message = std::move(message), .malformed = malformed, .untyped = false}, of_kind);
  }
  [[gnu::cold]] void note(ValueProblem found, ProblemKind of_kind) {
    const bool wins = !problem || (order == ProblemOrder::of_kinds && of_kind < kind);
    if (!wins) return;
    problem = std::move(found);
    kind = of_kind;
  }
  [[gnu::cold]] void note_untyped(std::string_view message) {
    note(ValueProblem{.message = std::string(message), .malformed = true, .untyped = true},
         ProblemKind::value);
  }
  /// The problem that is reported. In the order of the text empty nested names are met after all others
  /// (docs/service/values.md section 4).
  std::optional<ValueProblem> result() && {
    if (nested_empty_name) note(std::string(model::empty_attribute_name), true, ProblemKind::nameless_entry);
    return std::move(problem);
  }
};

}  // namespace dinette::dynamodb::codec
