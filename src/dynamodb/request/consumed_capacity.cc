#include "dynamodb/request/consumed_capacity.h"

#include <utility>

#include "dynamodb/api/capacity.h"
#include "dynamodb/api/consumed_capacity.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/request/gate.h"

namespace dinette::dynamodb {
namespace {

api::Capacity arm(double units) {
  api::Capacity capacity;
  capacity.capacity_units = units;
  return capacity;
}

void add_arms(api::ConsumedCapacity& capacity, const Charge& charge) {
  capacity.table = arm(charge.table);
  for (const Charge::Index& index : charge.indexes) {
    auto& arms = index.local ? capacity.local_secondary_indexes : capacity.global_secondary_indexes;
    if (!arms) arms.emplace();
    arms->emplace_back(index.name, arm(index.units));
  }
}

}  // namespace

std::optional<api::ConsumedCapacity> consumed_capacity(const Context& context,
                                                       api::ReturnConsumedCapacity wanted,
                                                       std::string_view table_name, const Charge& charge) {
  if (context.gate) context.gate->charge(context, table_name, charge);
  if (wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  capacity.capacity_units = charge.units();
  if (wanted == api::ReturnConsumedCapacity::indexes) add_arms(capacity, charge);
  return capacity;
}

void add_consumed_capacity(std::optional<std::vector<api::ConsumedCapacity>>& list, const Context& context,
                           api::ReturnConsumedCapacity wanted, std::string_view table_name,
                           const Charge& charge) {
  auto capacity = consumed_capacity(context, wanted, table_name, charge);
  if (!capacity) return;
  if (!list) list.emplace();
  list->push_back(*std::move(capacity));
}

}  // namespace dinette::dynamodb
