#pragma once

#include <cstddef>
#include <string_view>

#include "dinette/deliveries/delivery.h"

namespace dinette::lambda {

/// A state of a tumbling window that is longer ends its window early.
inline constexpr std::size_t most_state_bytes = 1 << 20;

/// What is read in the answers of a function.
struct AnswerRule {
  bool reports_failures = false;  ///< ReportBatchItemFailures
  bool keeps_state = false;       ///< of tumbling windows
};

/// Returns what the answer of a function that did not fail means for its batch
/// (docs/service/triggers.md sections 3.4 and 5).
deliveries::Verdict verdict_of(std::string_view answer, const deliveries::Batch& batch,
                               const AnswerRule& rule);

}  // namespace dinette::lambda
