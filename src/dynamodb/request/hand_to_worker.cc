#include "dynamodb/request/hand_to_worker.h"

#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {

base::Failure<ApiError> hand_to_worker() {
  return base::Failure{ApiError{
      .code = api::ErrorCode::throttling_exception, .message = {}, .of_request = true, .must_wait = true}};
}

Answer<void> check_loop_work(std::size_t work) {
  if (work <= model::limits::loop_work || base::may_wait()) return {};
  return hand_to_worker();
}

}  // namespace dinette::dynamodb
