#include "tablestore/request/api_error.h"

#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"

namespace dinette::tablestore {

using base::Failure;

Failure<ApiError> refusal(api::ErrorCode code, std::string message) {
  return Failure{ApiError{code, std::move(message)}};
}

Failure<ApiError> parameter_invalid(std::string message) {
  return refusal(api::ErrorCode::parameter_invalid, std::move(message));
}

Failure<ApiError> must_wait() {
  return Failure{ApiError{.code = api::ErrorCode::internal_server_error, .message = "", .must_wait = true}};
}

Failure<ApiError> storage_failure(const kv::Error& error) {
  if (kv::is_contention(error) && !base::may_wait()) return must_wait();
  base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
  return refuse::internal_server_error();
}

}  // namespace dinette::tablestore
