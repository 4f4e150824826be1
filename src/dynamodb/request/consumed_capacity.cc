#include "dynamodb/request/consumed_capacity.h"

#include <utility>

#include "dynamodb/api/capacity.h"
#include "dynamodb/api/consumed_capacity.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/request/gate.h"

namespace dinette::dynamodb {
namespace {

/// Both api::ConsumedCapacity and api::Capacity have these members.
template <class Capacity>
void set_units(Capacity& capacity, double units, CapacityAxis axis) {
  capacity.capacity_units = units;
  if (axis == CapacityAxis::read) capacity.read_capacity_units = units;
  if (axis == CapacityAxis::write) capacity.write_capacity_units = units;
}

api::Capacity arm(double units, CapacityAxis axis) {
  api::Capacity capacity;
  set_units(capacity, units, axis);
  return capacity;
}

void add_arms(api::ConsumedCapacity& capacity, const Charge& charge, CapacityAxis axis) {
  capacity.table = arm(charge.table, axis);
  for (const Charge::Index& index : charge.indexes) {
    auto& arms = index.local ? capacity.local_secondary_indexes : capacity.global_secondary_indexes;
    if (!arms) arms.emplace();
    arms->emplace_back(index.name, arm(index.units, axis));
  }
}

void note(observe::Notes& notes, std::string_view table_name, const Charge& charge) {
  observe::TableUse& table = notes.table(table_name);
  const double done = charge.units() - charge.failed;
  (charge.writes ? table.write_units : table.read_units) += done;
  table.write_units += charge.failed;
}

}  // namespace

void tell_gate(const Context& context, std::string_view table_name, const Charge& charge) {
  if (context.gate) context.gate->charge(context, table_name, charge);
  if (context.notes) note(*context.notes, table_name, charge);
}

std::optional<api::ConsumedCapacity> consumed_capacity(const Context& context,
                                                       api::ReturnConsumedCapacity wanted,
                                                       std::string_view table_name, const Charge& charge,
                                                       CapacityAxis axis) {
  tell_gate(context, table_name, charge);
  if (wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  api::ConsumedCapacity capacity;
  capacity.table_name = table_name;
  set_units(capacity, charge.units(), axis);
  if (wanted == api::ReturnConsumedCapacity::indexes) add_arms(capacity, charge, axis);
  return capacity;
}

void add_consumed_capacity(std::optional<std::vector<api::ConsumedCapacity>>& list, const Context& context,
                           api::ReturnConsumedCapacity wanted, std::string_view table_name,
                           const Charge& charge, CapacityAxis axis) {
  auto capacity = consumed_capacity(context, wanted, table_name, charge, axis);
  if (!capacity) return;
  if (!list) list.emplace();
  list->push_back(*std::move(capacity));
}

}  // namespace dinette::dynamodb
