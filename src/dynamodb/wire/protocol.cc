#include "dynamodb/wire/protocol.h"

#include "dynamodb/api/errors.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/service.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/outputs.h"

namespace dinette::dynamodb::wire {
namespace {

namespace limits = model::limits;
using api::ErrorCode;
using api::form_of;

/// Every recursion over a request relies on the parser's limit.
static_assert(limits::json_levels == aws::json_levels);

constexpr aws::CommonErrors common_errors{
    .access_denied = &form_of(ErrorCode::access_denied_exception),
    .incomplete_signature = &form_of(ErrorCode::incomplete_signature_exception),
    .internal = &form_of(ErrorCode::internal_server_error),
    .invalid_signature = &form_of(ErrorCode::invalid_signature_exception),
    .missing_token = &form_of(ErrorCode::missing_authentication_token_exception),
    .serialization = &form_of(ErrorCode::serialization_exception),
    .unknown_operation = &form_of(ErrorCode::unknown_operation_exception),
    .unrecognized_client = &form_of(ErrorCode::unrecognized_client_exception),
    .validation = &form_of(ErrorCode::validation_exception),
};

/// docs/service/wire.md section 9.
constexpr std::size_t largest_uncompressed = 4096;

}  // namespace

aws::JsonProtocol protocol() {
  return {.signing_name = api::signing_name,
          .content_type = api::content_type,
          .served = served_targets(),
          .planned = planned_targets(),
          .errors = common_errors,
          .error_forms = api::error_forms,
          .limits = {.head = limits::head_bytes,
                     .body = limits::request_bytes,
                     .body_on_loop = limits::loop_request_bytes,
                     .uncompressed = largest_uncompressed},
          .services = "DynamoDB, DynamoDB Streams, Kinesis Data Streams and S3",
          .smithy = api::smithy_services,
          .outputs = output_shapes(),
          .error_output = &error_output,
          .blob_members = blob_members};
}

}  // namespace dinette::dynamodb::wire
