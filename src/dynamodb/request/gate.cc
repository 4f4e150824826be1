#include "dynamodb/request/gate.h"

#include "dynamodb/request/context.h"
#include "dynamodb/request/throttled.h"

namespace dinette::dynamodb {

bool admits_item(const Context& context, std::size_t position) {
  return context.gate == nullptr || context.gate->admit_item(context, position);
}

base::Failure<ApiError> no_item_admitted(std::string_view table_arn, Axis axis) {
  return base::Failure{
      throttled({.limit = Limit::provisioned, .axis = axis, .on_demand = false, .table_arn = table_arn})};
}

}  // namespace dinette::dynamodb
