#include "dynamodb/request/retried_steps.h"

#include <exception>

namespace dinette::dynamodb {

bool RetriedSteps::run(base::FunctionRef<kv::Result<bool>()> step,
                       base::FunctionRef<void(const std::string& reason)> give_up) {
  std::string reason;
  try {
    const kv::Result<bool> more = step();
    if (more.ok()) {
      failures_ = 0;
      return *more;
    }
    reason = more.error().message;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (++failures_ < most_failures) return true;
  give_up(reason);
  return false;
}

}  // namespace dinette::dynamodb
