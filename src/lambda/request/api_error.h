#pragma once

#include <string>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"

#include "lambda/api/errors.h"

namespace dinette::lambda {

/// An answer of the service other than success: a code that the specs declare, and the sentence for it.
struct ApiError {
  api::ErrorCode code;
  std::string message;
  /// No answer at all: the request is to be run again where it may wait (base::may_wait).
  bool must_wait = false;
};

template <class T>
using Answer = base::Result<T, ApiError>;

[[gnu::cold]] base::Failure<ApiError> refusal(api::ErrorCode code, std::string message);
/// Returns an InvalidParameterValueException.
[[gnu::cold]] base::Failure<ApiError> invalid_parameter(std::string message);
/// Returns an internal error, whose details go to the log; must_wait where other requests are in the way.
[[gnu::cold]] base::Failure<ApiError> storage_failure(const kv::Error& error);

}  // namespace dinette::lambda

/// As DINETTE_TRY, for a kv::Result in a function that answers a client.
#define DINETTE_LAMBDA_STORED(declaration, ...) \
  DINETTE_LAMBDA_STORED_(DINETTE_CONCAT(dinette_stored_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_LAMBDA_STORED_(holder, declaration, expression) \
  auto holder = (expression);                                   \
  if (!holder.ok()) [[unlikely]]                                \
    return ::dinette::lambda::storage_failure(holder.error());  \
  declaration = std::move(holder).value()
