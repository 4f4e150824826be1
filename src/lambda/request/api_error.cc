#include "lambda/request/api_error.h"

#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

namespace dinette::lambda {

using base::Failure;

Failure<ApiError> refusal(api::ErrorCode code, std::string message) {
  return Failure{ApiError{code, std::move(message)}};
}

Failure<ApiError> invalid_parameter(std::string message) {
  return refusal(api::ErrorCode::invalid_parameter_value_exception, std::move(message));
}

Failure<ApiError> storage_failure(const kv::Error& error) {
  if (kv::is_contention(error) && !base::may_wait())
    return Failure{ApiError{.code = api::ErrorCode::service_exception, .message = "", .must_wait = true}};
  base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
  return refusal(api::ErrorCode::service_exception, "Internal server error");
}

}  // namespace dinette::lambda
