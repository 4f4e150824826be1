#include "keyspaces/request/api_error.h"

#include <utility>

namespace dinette::keyspaces {

using api::ErrorCode;

base::Failure<ApiError> refusal(ErrorCode code, std::string message) {
  return ApiError{.code = code, .message = std::move(message)};
}

base::Failure<ApiError> not_valid(std::string message, std::string reason) {
  return ApiError{
      .code = ErrorCode::validation_exception, .message = std::move(message), .reason = std::move(reason)};
}

base::Failure<ApiError> not_found(std::string message, std::string resource_arn) {
  return ApiError{.code = ErrorCode::resource_not_found_exception,
                  .message = std::move(message),
                  .resource_arn = std::move(resource_arn)};
}

base::Failure<ApiError> refusal_of(cql::DefinitionRefusal refused) {
  using Reason = cql::DefinitionRefusal::Reason;
  switch (refused.reason) {
    case Reason::exists:
      return refusal(ErrorCode::conflict_exception, std::move(refused.message));
    case Reason::quota:
      return refusal(ErrorCode::service_quota_exceeded_exception, std::move(refused.message));
    case Reason::failed:
      return refusal(ErrorCode::internal_server_exception, "Internal server error");
    case Reason::must_wait:
      return ApiError{.code = ErrorCode::internal_server_exception, .message = "", .must_wait = true};
    case Reason::invalid:
      break;
  }
  return not_valid(std::move(refused.message));
}

}  // namespace dinette::keyspaces
