#include "dynamodb/wire/protocol.h"

#include "dynamodb/api/errors.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/service.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/outputs.h"

namespace dinette::dynamodb::wire {
namespace {

namespace limits = model::limits;

/// Every recursion over a request relies on the parser's limit.
static_assert(limits::json_levels == aws::json_levels);

/// docs/service/wire.md section 9.
constexpr std::size_t largest_uncompressed = 4096;

}  // namespace

aws::JsonProtocol protocol() {
  return {.signing_name = api::signing_name,
          .content_type = api::content_type,
          .served = served_targets(),
          .planned = planned_targets(),
          .errors = api::common_errors,
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
