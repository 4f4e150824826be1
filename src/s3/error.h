#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/objects/object_store.h"
#include "dinette/objects/s3_errors.h"

namespace dinette::s3 {

using Code = objects::S3Code;

struct Error {
  Code code{};
  std::string message = {};  ///< empty: what S3 says
};

template <class T>
using Outcome = base::Result<T, Error>;
using Done = Outcome<void>;

inline base::Failure<Error> fail(Code code, std::string message = {}) {
  return base::Failure{Error{code, std::move(message)}};
}

/// Converts errors of the object store for callers. Logs those that the caller did not cause.
Error error_of(const objects::Error& error);

/// Returns the sentence for the client. A view into `error`, or of static storage.
std::string_view message_of(const Error& error);

/// Returns the body of the response. `bucket` and `key` are empty if the request names none.
std::string body_of(const Error& error, std::string_view bucket, std::string_view key,
                    std::string_view request_id, std::string_view host_id);

}  // namespace dinette::s3

/// DINETTE_TRY and DINETTE_CHECK for results of object stores.
#define DINETTE_S3_TRY(declaration, ...)                                                  \
  auto DINETTE_CONCAT(stored_, __LINE__) = (__VA_ARGS__);                                 \
  if (!DINETTE_CONCAT(stored_, __LINE__).ok())                                            \
    return ::dinette::base::Failure{error_of(DINETTE_CONCAT(stored_, __LINE__).error())}; \
  declaration = std::move(DINETTE_CONCAT(stored_, __LINE__)).value()
#define DINETTE_S3_CHECK(expression)                             \
  do {                                                           \
    if (const auto stored = (expression); !stored.ok())          \
      return ::dinette::base::Failure{error_of(stored.error())}; \
  } while (false)
