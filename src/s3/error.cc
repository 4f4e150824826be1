#include "s3/error.h"

#include <array>

#include "dinette/base/log.h"

#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

struct Form {
  Code code;
  std::string_view name;
  int status;
  std::string_view message;
};

constexpr std::array forms{
    Form{Code::access_denied, "AccessDenied", 403, "Access Denied"},
    Form{Code::authorization_header_malformed, "AuthorizationHeaderMalformed", 400,
         "The authorization header is malformed."},
    Form{Code::bad_digest, "BadDigest", 400, "The Content-MD5 you specified did not match what we received."},
    Form{Code::bucket_already_owned_by_you, "BucketAlreadyOwnedByYou", 409,
         "Your previous request to create the named bucket succeeded and you already own it."},
    Form{Code::bucket_not_empty, "BucketNotEmpty", 409, "The bucket you tried to delete is not empty"},
    Form{Code::content_sha256_mismatch, "XAmzContentSHA256Mismatch", 400,
         "The provided 'x-amz-content-sha256' header does not match what was computed."},
    Form{Code::cors_refused, "AccessForbidden", 403, "CORSResponse: This CORS request is not allowed."},
    Form{Code::entity_too_large, "EntityTooLarge", 400,
         "Your proposed upload exceeds the maximum allowed size"},
    Form{Code::entity_too_small, "EntityTooSmall", 400,
         "Your proposed upload is smaller than the minimum allowed size"},
    Form{Code::incomplete_body, "IncompleteBody", 400,
         "You did not provide the number of bytes specified by the Content-Length HTTP header"},
    Form{Code::internal_error, "InternalError", 500, "We encountered an internal error. Please try again."},
    Form{Code::invalid_access_key_id, "InvalidAccessKeyId", 403,
         "The AWS Access Key Id you provided does not exist in our records."},
    Form{Code::invalid_argument, "InvalidArgument", 400, "Invalid Argument"},
    Form{Code::invalid_bucket_name, "InvalidBucketName", 400, "The specified bucket is not valid."},
    Form{Code::invalid_digest, "InvalidDigest", 400, "The Content-MD5 you specified was invalid."},
    Form{
        Code::invalid_part, "InvalidPart", 400,
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the "
        "specified entity tag may not match the part's entity tag."},
    Form{Code::invalid_part_order, "InvalidPartOrder", 400,
         "The list of parts was not in ascending order. Parts must be ordered by part number."},
    Form{Code::invalid_range, "InvalidRange", 416, "The requested range is not satisfiable"},
    Form{Code::invalid_request, "InvalidRequest", 400, "Invalid Request"},
    Form{Code::invalid_uri, "InvalidURI", 400, "Couldn't parse the specified URI."},
    Form{Code::key_too_long, "KeyTooLongError", 400, "Your key is too long"},
    Form{Code::malformed_xml, "MalformedXML", 400,
         "The XML you provided was not well-formed or did not validate against our published schema"},
    Form{Code::method_not_allowed, "MethodNotAllowed", 405,
         "The specified method is not allowed against this resource."},
    Form{Code::no_such_bucket, "NoSuchBucket", 404, "The specified bucket does not exist"},
    Form{Code::no_such_bucket_policy, "NoSuchBucketPolicy", 404, "The bucket policy does not exist"},
    Form{Code::no_such_cors_configuration, "NoSuchCORSConfiguration", 404,
         "The CORS configuration does not exist"},
    Form{Code::no_such_encryption, "ServerSideEncryptionConfigurationNotFoundError", 404,
         "The server side encryption configuration was not found"},
    Form{Code::no_such_key, "NoSuchKey", 404, "The specified key does not exist."},
    Form{Code::no_such_lifecycle_configuration, "NoSuchLifecycleConfiguration", 404,
         "The lifecycle configuration does not exist"},
    Form{Code::no_such_object_lock, "ObjectLockConfigurationNotFoundError", 404,
         "Object Lock configuration does not exist for this bucket"},
    Form{Code::no_such_ownership_controls, "OwnershipControlsNotFoundError", 404,
         "The bucket ownership controls were not found"},
    Form{Code::no_such_public_access_block, "NoSuchPublicAccessBlockConfiguration", 404,
         "The public access block configuration was not found"},
    Form{Code::no_such_tag_set, "NoSuchTagSet", 404, "The TagSet does not exist"},
    Form{Code::no_such_upload, "NoSuchUpload", 404,
         "The specified upload does not exist. The upload ID may be invalid, or the upload may have been "
         "aborted or completed."},
    Form{Code::no_such_website_configuration, "NoSuchWebsiteConfiguration", 404,
         "The specified bucket does not have a website configuration"},
    Form{Code::not_implemented, "NotImplemented", 501,
         "A header you provided implies functionality that is not implemented"},
    Form{Code::not_modified, "NotModified", 304, "Not Modified"},
    Form{Code::precondition_failed, "PreconditionFailed", 412,
         "At least one of the pre-conditions you specified did not hold"},
    Form{Code::request_time_too_skewed, "RequestTimeTooSkewed", 403,
         "The difference between the request time and the current time is too large."},
    Form{Code::signature_does_not_match, "SignatureDoesNotMatch", 403,
         "The request signature we calculated does not match the signature you provided. Check your key and "
         "signing method."},
};

constexpr bool one_form_per_code() {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (static_cast<std::size_t>(forms[i].code) != i) return false;
  }
  return true;
}
static_assert(one_form_per_code());

const Form& form_of(Code code) {
  return forms[static_cast<std::size_t>(code)];
}

}  // namespace

Error error_of(const objects::Error& error) {
  switch (error.kind) {
    case objects::ErrorKind::no_such_bucket:
      return {Code::no_such_bucket};
    case objects::ErrorKind::no_such_object:
      return {Code::no_such_key};
    case objects::ErrorKind::bucket_exists:
      return {Code::bucket_already_owned_by_you};
    case objects::ErrorKind::bucket_not_empty:
      return {Code::bucket_not_empty};
    case objects::ErrorKind::invalid_bucket:
      return {Code::invalid_bucket_name};
    case objects::ErrorKind::invalid_key:
      return {Code::key_too_long};
    case objects::ErrorKind::access_denied:
      return {Code::access_denied};
    case objects::ErrorKind::stopped:
    case objects::ErrorKind::failed:
      break;
  }
  base::log(base::LogLevel::error, "the store of objects failed", {{"reason", error.message}});
  return {Code::internal_error};
}

int status_of(Code code) {
  return form_of(code).status;
}

std::string_view name_of(Code code) {
  return form_of(code).name;
}

std::string body_of(const Error& error, std::string_view bucket, std::string_view key,
                    std::string_view request_id, std::string_view host_id) {
  const Form& form = form_of(error.code);
  XmlWriter xml;
  xml.open("Error");
  xml.element("Code", form.name);
  xml.element("Message", error.message.empty() ? form.message : std::string_view(error.message));
  if (!key.empty() && error.code != Code::no_such_bucket) {
    xml.element("Key", key);
  } else if (!bucket.empty()) {
    xml.element("BucketName", bucket);
  }
  xml.element("RequestId", request_id);
  xml.element("HostId", host_id);
  xml.close("Error");
  return xml.take();
}

}  // namespace dinette::s3
