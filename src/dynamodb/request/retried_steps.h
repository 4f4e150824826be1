#pragma once

#include <string>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"

namespace dinette::dynamodb {

/// Runs the steps of a job, so that one that fails, as storage may, is retried. After `most_failures` in a
/// row the job ends, until the next start of the server.
class RetriedSteps {
 public:
  static constexpr int most_failures = 10'000;

  /// Runs a step, which returns true if there is more to do, and may throw. Returns the same; true after a
  /// failure. `give_up` gets the reason of the last one that is not retried.
  bool run(base::FunctionRef<kv::Result<bool>()> step,
           base::FunctionRef<void(const std::string& reason)> give_up);

 private:
  int failures_ = 0;  ///< one after the other
};

}  // namespace dinette::dynamodb
