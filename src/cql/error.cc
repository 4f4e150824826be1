#include "cql/error.h"

#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

namespace dinette::cql {

using base::Failure;

Failure<Error> invalid(std::string message) {
  return Error{ErrorCode::invalid, std::move(message)};
}

Failure<Error> quota_exceeded(std::string_view what, std::size_t most) {
  return Error{.code = ErrorCode::invalid,
               .message = "Maximum " + std::string(what) + " (" + std::to_string(most) + ") exceeded.",
               .exceeds_quota = true};
}

Failure<Error> syntax_error(std::string message) {
  return Error{ErrorCode::syntax_error, std::move(message)};
}

Failure<Error> protocol_error(std::string message) {
  return Error{ErrorCode::protocol_error, std::move(message)};
}

Failure<Error> configuration_error(std::string message) {
  return Error{ErrorCode::configuration_error, std::move(message)};
}

Failure<Error> unauthorized(std::string message) {
  return Error{ErrorCode::unauthorized, std::move(message)};
}

Failure<Error> already_exists(std::string message, std::string_view keyspace, std::string_view table) {
  return Error{ErrorCode::already_exists, std::move(message), {std::string(keyspace), std::string(table)}};
}

Failure<Error> must_wait() {
  return Error{.code = ErrorCode::server_error, .message = "", .must_wait = true};
}

Failure<Error> storage_failure(const kv::Error& error) {
  if (kv::is_contention(error) && !base::may_wait()) return must_wait();
  base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
  return Error{ErrorCode::server_error, "java.lang.RuntimeException: the storage failed"};
}

}  // namespace dinette::cql
