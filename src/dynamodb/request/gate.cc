#include "dynamodb/request/gate.h"

#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

bool admits_item(const Context& context, std::size_t position) {
  return context.gate == nullptr || context.gate->admit_item(context, position);
}

base::Failure<ApiError> no_item_admitted() {
  return base::Failure{ApiError{
      api::ErrorCode::provisioned_throughput_exceeded_exception,
      "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
      "provisioning level with the UpdateTable API."}};
}

}  // namespace dinette::dynamodb
