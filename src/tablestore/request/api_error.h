#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"

#include "tablestore/api/errors.h"

namespace dinette::tablestore {

/// An answer other than success: a code that the specs declare, and the sentence for it. Regular sentences
/// are functions of tablestore/api/refusals.h.
struct ApiError {
  api::ErrorCode code;
  std::string message;
  /// No answer at all: the request is to be run again where it may wait (base::may_wait).
  bool must_wait = false;

  int status() const { return api::form_of(code).status; }
  std::string_view name() const { return api::form_of(code).name; }
};

template <class T>
using Answer = base::Result<T, ApiError>;

[[gnu::cold]] base::Failure<ApiError> refusal(api::ErrorCode code, std::string message);
/// Returns an OTSParameterInvalid.
[[gnu::cold]] base::Failure<ApiError> parameter_invalid(std::string message);
/// Hands the request to a worker.
[[gnu::cold]] base::Failure<ApiError> must_wait();
/// Returns an internal error, whose details go to the log; must_wait() where other requests are in the way.
[[gnu::cold]] base::Failure<ApiError> storage_failure(const kv::Error& error);

}  // namespace dinette::tablestore

/// As DINETTE_TRY, for a kv::Result in a function that answers a client.
#define DINETTE_TABLESTORE_STORED(declaration, ...) \
  DINETTE_TABLESTORE_STORED_(DINETTE_CONCAT(dinette_stored_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_TABLESTORE_STORED_(holder, declaration, expression) \
  auto holder = (expression);                                       \
  if (!holder.ok()) [[unlikely]]                                    \
    return ::dinette::tablestore::storage_failure(holder.error());  \
  declaration = std::move(holder).value()
