#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/objects/object_store.h"

namespace dinette::s3 {

/// The errors of S3 that are answered (Amazon S3 API Reference, "Error responses").
enum class Code {
  access_denied,
  authorization_header_malformed,
  bad_digest,
  bucket_already_owned_by_you,
  bucket_not_empty,
  content_sha256_mismatch,
  cors_refused,
  entity_too_large,
  entity_too_small,
  incomplete_body,
  internal_error,
  invalid_access_key_id,
  invalid_argument,
  invalid_bucket_name,
  invalid_digest,
  invalid_part,
  invalid_part_order,
  invalid_range,
  invalid_request,
  invalid_uri,
  key_too_long,
  malformed_xml,
  method_not_allowed,
  no_such_bucket,
  no_such_bucket_policy,
  no_such_cors_configuration,
  no_such_encryption,
  no_such_key,
  no_such_lifecycle_configuration,
  no_such_object_lock,
  no_such_ownership_controls,
  no_such_public_access_block,
  no_such_tag_set,
  no_such_upload,
  no_such_website_configuration,
  not_implemented,
  not_modified,
  precondition_failed,
  request_time_too_skewed,
  signature_does_not_match,
};

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

int status_of(Code code);
std::string_view name_of(Code code);
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
