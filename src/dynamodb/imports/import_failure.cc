#include "dynamodb/imports/import_failure.h"

namespace dinette::dynamodb {
namespace {

std::string of_s3(std::string_view sentence, int status, std::string_view code, std::string_view request_id) {
  return std::string(sentence)
      .append(" (Service: Amazon S3; Status Code: ")
      .append(std::to_string(status))
      .append("; Error Code: ")
      .append(code)
      .append("; Request ID: ")
      .append(request_id)
      .append("; S3 Extended Request ID: ")
      .append(request_id)
      .append("; Proxy: null)");
}

}  // namespace

ImportFailure failure_of(const objects::Error& error, std::string_view request_id) {
  using objects::ErrorKind;
  switch (error.kind) {
    case ErrorKind::no_such_bucket:
    case ErrorKind::invalid_bucket:
      return {"S3NoSuchBucket",
              of_s3("The specified bucket does not exist", 404, "NoSuchBucket", request_id)};
    case ErrorKind::no_such_object:
      return {"S3NoSuchKey", of_s3("The specified key does not exist.", 404, "NoSuchKey", request_id)};
    case ErrorKind::access_denied:
      return {"S3AccessDenied", of_s3("Access Denied", 403, "AccessDenied", request_id)};
    default:
      return {"S3InternalError",
              of_s3("We encountered an internal error. Please try again.", 500, "InternalError", request_id)};
  }
}

ImportFailure items_failed() {
  return {"ItemValidationError",
          "Some of the items failed validation checks and were not imported. Please check CloudWatch error "
          "logs for more details."};
}

ImportFailure table_exists(std::string_view name) {
  return {"TableAlreadyExists", "Table already exists: " + std::string(name)};
}

}  // namespace dinette::dynamodb
