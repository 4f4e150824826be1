#include "dynamodb/request/api_error.h"

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {

using base::Failure;

Failure<ApiError> validation(std::string message) {
  return Failure{ApiError{api::ErrorCode::validation_exception, std::move(message)}};
}

Failure<ApiError> invalid(std::string_view sentence) {
  return validation(std::string(model::invalid_parameters).append(sentence));
}

Failure<ApiError> of_request(Failure<ApiError> failure) {
  failure.error().of_request = true;
  return failure;
}

Failure<ApiError> subscriber_limit(std::string_view sentence) {
  return Failure{ApiError{api::ErrorCode::limit_exceeded_exception,
                          std::string("Subscriber limit exceeded: ").append(sentence)}};
}

Failure<ApiError> validation(Envelope envelope, std::string_view message) {
  const std::string_view front = envelope == Envelope::around ? "1 validation error detected: " : "";
  return validation(std::string(front) + std::string(message));
}

Failure<ApiError> validation(Envelope envelope, const expr::ExpressionError& error) {
  return validation(error.bare ? Envelope::none : envelope, error.message);
}

Failure<ApiError> validation(Envelope envelope, const codec::ValueProblem& problem) {
  return validation(problem.malformed ? Envelope::none : envelope, problem.message);
}

bool is_throttled(const ApiError& error) {
  const bool contention = error.code == api::ErrorCode::throttling_exception && !error.must_wait;
  return contention || !error.throttling.empty();
}

Failure<ApiError> storage_failure(const kv::Error& error) {
  if (kv::is_contention(error)) {
    return Failure{ApiError{.code = api::ErrorCode::throttling_exception,
                            .message = "Rate of requests exceeds the allowed throughput.",
                            .of_request = true,
                            .must_wait = !base::may_wait()}};
  }
  base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
  return of_request(Failure{ApiError{api::ErrorCode::internal_server_error, "Internal server error"}});
}

}  // namespace dinette::dynamodb
