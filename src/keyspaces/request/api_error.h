#pragma once

#include <string>

#include "dinette/base/result.h"
#include "dinette/cql/definitions.h"

#include "keyspaces/api/errors.h"

namespace dinette::keyspaces {

/// An answer of the service other than success: a code that the specs declare, and the sentence for it.
struct ApiError {
  api::ErrorCode code;
  std::string message;
  std::string resource_arn = {};  ///< of a ResourceNotFoundException
  std::string reason = {};        ///< the member `errorCode` of a ValidationException of streams
  /// No answer at all: the request is to be run again where it may wait (base::may_wait).
  bool must_wait = false;
};

template <class T>
using Answer = base::Result<T, ApiError>;

[[gnu::cold]] base::Failure<ApiError> refusal(api::ErrorCode code, std::string message);
/// Returns a ValidationException; `reason`: of streams.
[[gnu::cold]] base::Failure<ApiError> not_valid(std::string message, std::string reason = {});
[[gnu::cold]] base::Failure<ApiError> not_found(std::string message, std::string resource_arn);
/// Returns what the layer below has refused.
[[gnu::cold]] base::Failure<ApiError> refusal_of(cql::DefinitionRefusal refusal);

}  // namespace dinette::keyspaces

/// As DINETTE_TRY, for a cql::Defined in a function that answers a client.
#define DINETTE_KEYSPACES_DEFINED(declaration, ...) \
  DINETTE_KEYSPACES_DEFINED_(DINETTE_CONCAT(dinette_defined_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_KEYSPACES_DEFINED_(holder, declaration, expression)                     \
  auto holder = (expression);                                                           \
  if (!holder.ok()) return ::dinette::keyspaces::refusal_of(std::move(holder).error()); \
  declaration = std::move(holder).value()
