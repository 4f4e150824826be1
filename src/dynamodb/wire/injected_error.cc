#include "dynamodb/wire/injected_error.h"

#include <algorithm>

#include "dynamodb/request/throttled.h"

namespace dinette::dynamodb::wire {
namespace {

using enum api::ErrorCode;

/// Returns what runs out for this error of an operation on items; nothing if it does not throttle.
std::optional<Shortage> shortage_of(api::ErrorCode code) {
  switch (code) {
    case provisioned_throughput_exceeded_exception:
      return Shortage{.limit = Limit::provisioned, .axis = Axis::read, .on_demand = false, .table_arn = {}};
    case request_limit_exceeded:
      return Shortage{.limit = Limit::account, .axis = Axis::read, .on_demand = true, .table_arn = {}};
    case throttling_exception:
      return Shortage{.limit = Limit::partition, .axis = Axis::read, .on_demand = true, .table_arn = {}};
    default:
      return std::nullopt;
  }
}

/// Returns what the service says where the sentence does not depend on the request
/// (docs/service/wire.md section 3, docs/service/throttling.md section 4).
std::string usual_message(api::ErrorCode code) {
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
    case request_limit_exceeded:
      return throttled(*shortage_of(code)).message;
    case throttling_exception:
      return "Rate of requests exceeds the allowed throughput.";
    case unrecognized_client_exception:
      return "The security token included in the request is invalid.";
    default:
      return "This fault was ordered with PUT /_dinette/faults.";
  }
}

}  // namespace

std::optional<ApiError> injected_error(std::string_view type, std::string_view message,
                                       const std::optional<ThrottledTable>& table) {
  const auto form = std::ranges::find(api::error_forms, type, &aws::ErrorForm::name);
  if (form == api::error_forms.end()) return std::nullopt;
  const auto code = static_cast<api::ErrorCode>(form - api::error_forms.begin());
  ApiError error{code, {}};
  if (auto shortage = shortage_of(code); shortage && table) {
    shortage->axis = table->axis;
    shortage->table_arn = table->arn;
    error = throttled(*shortage);
  } else {
    error.message = usual_message(code);
  }
  if (!message.empty()) error.message = message;
  return error;
}

}  // namespace dinette::dynamodb::wire
