#include "dynamodb/request/turn.h"

#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {

base::Failure<ApiError> run_elsewhere() {
  return base::Failure{ApiError{
      .code = api::ErrorCode::throttling_exception, .message = {}, .of_request = true, .must_wait = true}};
}

Answer<void> check_turn(std::size_t work) {
  if (work <= model::limits::turn_work || base::may_wait()) return {};
  return run_elsewhere();
}

}  // namespace dinette::dynamodb
