#include "dynamodb/request/throttled.h"

#include <string>

namespace dinette::dynamodb {
namespace {

using enum api::ErrorCode;

constexpr std::string_view provisioned_table =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
    "provisioning level with the UpdateTable API.";
constexpr std::string_view provisioned_index =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table "
    "was "
    "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary "
    "indexes "
    "with the UpdateTable API";
constexpr std::string_view on_demand_partition =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your "
    "table or index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr std::string_view on_demand_maximum =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
constexpr std::string_view on_demand_index =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";
constexpr std::string_view account_limit =
    "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at "
    "https://aws.amazon.com/support request a limit increase";

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::provisioned:
      return "ProvisionedThroughputExceeded";
    case Limit::maximum:
      return "MaxOnDemandThroughputExceeded";
    case Limit::account:
      return "AccountLimitExceeded";
    case Limit::partition:
      break;
  }
  return "KeyRangeThroughputExceeded";
}

/// Returns the error without its reason.
ApiError error_of(const Shortage& shortage) {
  const bool index = !shortage.index.empty();
  const auto error = [](api::ErrorCode code, std::string_view text) {
    return ApiError{code, std::string(text)};
  };
  if (!shortage.on_demand)
    return error(provisioned_throughput_exceeded_exception, index ? provisioned_index : provisioned_table);
  if (shortage.limit == Limit::account) return error(request_limit_exceeded, account_limit);
  if (index && shortage.axis == Axis::write) {
    return error(shortage.single_write ? provisioned_throughput_exceeded_exception : throttling_exception,
                 on_demand_index);
  }
  return error(throttling_exception,
               shortage.limit == Limit::maximum ? on_demand_maximum : on_demand_partition);
}

}  // namespace

ThrottlingReason throttling_reason(const Shortage& shortage) {
  const bool index = !shortage.index.empty();
  ThrottlingReason reason;
  reason.reason.append(index ? "Index" : "Table")
      .append(shortage.axis == Axis::read ? "Read" : "Write")
      .append(name_of(shortage.limit));
  reason.resource = shortage.table_arn;
  if (index) reason.resource.append("/index/").append(shortage.index);
  return reason;
}

ApiError throttled(const Shortage& shortage) {
  ApiError error = error_of(shortage);
  error.of_request = true;
  error.throttling.push_back(throttling_reason(shortage));
  return error;
}

}  // namespace dinette::dynamodb
