#include "kinesis/request/api_error.h"

#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

namespace dinette::kinesis {

using base::Failure;

Failure<ApiError> refusal(api::ErrorCode code, std::string message) {
  return Failure{ApiError{code, std::move(message)}};
}

Failure<ApiError> invalid_argument(std::string message) {
  return refusal(api::ErrorCode::invalid_argument_exception, std::move(message));
}

Failure<ApiError> must_wait() {
  return Failure{ApiError{.code = api::ErrorCode::internal_failure, .message = "", .must_wait = true}};
}

Failure<ApiError> storage_failure(const kv::Error& error) {
  if (kv::is_contention(error) && !base::may_wait()) return must_wait();
  base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
  return refusal(api::ErrorCode::internal_failure, "Internal server error");
}

}  // namespace dinette::kinesis
