#include "dynamodb/wire/ordered_error.h"

#include <algorithm>

namespace dinette::dynamodb::wire {
namespace {

using enum api::ErrorCode;

/// Returns what the service says where the sentence does not depend on the request
/// (docs/service/wire.md section 3, docs/service/throttling.md section 4).
std::string_view usual_message(api::ErrorCode code) {
  switch (code) {
    case conditional_check_failed_exception:
      return "The conditional request failed";
    case internal_server_error:
      return "Internal server error";
    case item_collection_size_limit_exceeded_exception:
      return "Collection size exceeded.";
    case limit_exceeded_exception:
      return "Too many operations for a given subscriber.";
    case provisioned_throughput_exceeded_exception:
      return "The level of configured provisioned throughput for the table was exceeded. Consider "
             "increasing your provisioning level with the UpdateTable API.";
    case request_limit_exceeded:
      return "Throughput exceeds the current throughput limit for your account. Please contact AWS Support "
             "at https://aws.amazon.com/support request a limit increase";
    case throttling_exception:
      return "Rate of requests exceeds the allowed throughput.";
    case unrecognized_client_exception:
      return "The security token included in the request is invalid.";
    default:
      return "This fault was ordered with PUT /_dinette/faults.";
  }
}

}  // namespace

std::optional<ApiError> ordered_error(std::string_view type, std::string_view message) {
  const auto form = std::ranges::find(api::error_forms, type, &aws::ErrorForm::name);
  if (form == api::error_forms.end()) return std::nullopt;
  const auto code = static_cast<api::ErrorCode>(form - api::error_forms.begin());
  return ApiError{code, std::string(message.empty() ? usual_message(code) : message)};
}

}  // namespace dinette::dynamodb::wire
