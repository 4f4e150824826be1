#include "dinette/objects/s3_errors.h"

#include <algorithm>
#include <array>

namespace dinette::objects {
namespace {

constexpr std::array errors{
    S3Error{S3Code::access_denied, "AccessDenied", 403, "Access Denied", ErrorKind::access_denied},
    S3Error{S3Code::authorization_header_malformed, "AuthorizationHeaderMalformed", 400,
            "The authorization header is malformed."},
    S3Error{S3Code::bad_digest, "BadDigest", 400,
            "The Content-MD5 you specified did not match what we received."},
    S3Error{S3Code::bucket_already_owned_by_you, "BucketAlreadyOwnedByYou", 409,
            "Your previous request to create the named bucket succeeded and you already own it.",
            ErrorKind::bucket_exists},
    S3Error{S3Code::bucket_not_empty, "BucketNotEmpty", 409, "The bucket you tried to delete is not empty",
            ErrorKind::bucket_not_empty},
    S3Error{S3Code::content_sha256_mismatch, "XAmzContentSHA256Mismatch", 400,
            "The provided 'x-amz-content-sha256' header does not match what was computed."},
    S3Error{S3Code::cors_refused, "AccessForbidden", 403, "CORSResponse: This CORS request is not allowed."},
    S3Error{S3Code::entity_too_large, "EntityTooLarge", 400,
            "Your proposed upload exceeds the maximum allowed size"},
    S3Error{S3Code::entity_too_small, "EntityTooSmall", 400,
            "Your proposed upload is smaller than the minimum allowed size"},
    S3Error{S3Code::incomplete_body, "IncompleteBody", 400,
            "You did not provide the number of bytes specified by the Content-Length HTTP header"},
    S3Error{S3Code::internal_error, "InternalError", 500,
            "We encountered an internal error. Please try again.", ErrorKind::failed},
    S3Error{S3Code::invalid_access_key_id, "InvalidAccessKeyId", 403,
            "The AWS Access Key Id you provided does not exist in our records.", ErrorKind::access_denied},
    S3Error{S3Code::invalid_argument, "InvalidArgument", 400, "Invalid Argument"},
    S3Error{S3Code::invalid_bucket_name, "InvalidBucketName", 400, "The specified bucket is not valid.",
            ErrorKind::invalid_bucket},
    S3Error{S3Code::invalid_digest, "InvalidDigest", 400, "The Content-MD5 you specified was invalid."},
    S3Error{
        S3Code::invalid_part, "InvalidPart", 400,
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the "
        "specified entity tag may not match the part's entity tag."},
    S3Error{S3Code::invalid_part_order, "InvalidPartOrder", 400,
            "The list of parts was not in ascending order. Parts must be ordered by part number."},
    S3Error{S3Code::invalid_range, "InvalidRange", 416, "The requested range is not satisfiable"},
    S3Error{S3Code::invalid_request, "InvalidRequest", 400, "Invalid Request"},
    S3Error{S3Code::invalid_uri, "InvalidURI", 400, "Couldn't parse the specified URI."},
    S3Error{S3Code::key_too_long, "KeyTooLongError", 400, "Your key is too long", ErrorKind::invalid_key},
    S3Error{S3Code::malformed_xml, "MalformedXML", 400,
            "The XML you provided was not well-formed or did not validate against our published schema"},
    S3Error{S3Code::method_not_allowed, "MethodNotAllowed", 405,
            "The specified method is not allowed against this resource."},
    S3Error{S3Code::no_such_bucket, "NoSuchBucket", 404, "The specified bucket does not exist",
            ErrorKind::no_such_bucket},
    S3Error{S3Code::no_such_bucket_policy, "NoSuchBucketPolicy", 404, "The bucket policy does not exist"},
    S3Error{S3Code::no_such_cors_configuration, "NoSuchCORSConfiguration", 404,
            "The CORS configuration does not exist"},
    S3Error{S3Code::no_such_encryption, "ServerSideEncryptionConfigurationNotFoundError", 404,
            "The server side encryption configuration was not found"},
    S3Error{S3Code::no_such_key, "NoSuchKey", 404, "The specified key does not exist.",
            ErrorKind::no_such_object},
    S3Error{S3Code::no_such_lifecycle_configuration, "NoSuchLifecycleConfiguration", 404,
            "The lifecycle configuration does not exist"},
    S3Error{S3Code::no_such_object_lock, "ObjectLockConfigurationNotFoundError", 404,
            "Object Lock configuration does not exist for this bucket"},
    S3Error{S3Code::no_such_ownership_controls, "OwnershipControlsNotFoundError", 404,
            "The bucket ownership controls were not found"},
    S3Error{S3Code::no_such_public_access_block, "NoSuchPublicAccessBlockConfiguration", 404,
            "The public access block configuration was not found"},
    S3Error{S3Code::no_such_tag_set, "NoSuchTagSet", 404, "The TagSet does not exist"},
    S3Error{S3Code::no_such_upload, "NoSuchUpload", 404,
            "The specified upload does not exist. The upload ID may be invalid, or the upload may have been "
            "aborted or completed."},
    S3Error{S3Code::no_such_website_configuration, "NoSuchWebsiteConfiguration", 404,
            "The specified bucket does not have a website configuration"},
    S3Error{S3Code::not_implemented, "NotImplemented", 501,
            "A header you provided implies functionality that is not implemented"},
    S3Error{S3Code::not_modified, "NotModified", 304, "Not Modified"},
    S3Error{S3Code::precondition_failed, "PreconditionFailed", 412,
            "At least one of the pre-conditions you specified did not hold"},
    S3Error{S3Code::request_time_too_skewed, "RequestTimeTooSkewed", 403,
            "The difference between the request time and the current time is too large."},
    S3Error{
        S3Code::signature_does_not_match, "SignatureDoesNotMatch", 403,
        "The request signature we calculated does not match the signature you provided. Check your key and "
        "signing method.",
        ErrorKind::access_denied},
};

constexpr bool one_per_code() {
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (static_cast<std::size_t>(errors[i].code) != i) return false;
  }
  return true;
}
static_assert(one_per_code());

}  // namespace

std::span<const S3Error> s3_errors() {
  return errors;
}

const S3Error& s3_error(S3Code code) {
  return errors[static_cast<std::size_t>(code)];
}

const S3Error& s3_error(ErrorKind kind) {
  const auto found = std::ranges::find(errors, kind, &S3Error::kind);
  return found == errors.end() ? s3_error(S3Code::internal_error) : *found;
}

std::optional<ErrorKind> kind_of_s3_error(std::string_view name) {
  const auto found = std::ranges::find(errors, name, &S3Error::name);
  return found == errors.end() ? std::nullopt : found->kind;
}

}  // namespace dinette::objects
