#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// The errors of S3 that are answered (Amazon S3 API Reference, "Error responses").
enum class S3Code {
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

struct S3Error {
  S3Code code{};
  std::string_view name;  ///< in the element Code
  int status = 0;
  std::string_view message;
  std::optional<ErrorKind> kind = std::nullopt;  ///< that a store has for it; several may have the same
};

/// Returns all, each at the position of its code.
std::span<const S3Error> s3_errors();
const S3Error& s3_error(S3Code code);
/// Returns what S3 answers when its store fails.
const S3Error& s3_error(ErrorKind kind);
/// Returns what a store fails with when S3 answers the error of that name, if there is something special.
std::optional<ErrorKind> kind_of_s3_error(std::string_view name);

}  // namespace dinette::objects
