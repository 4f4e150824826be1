#include "dynamodb/request/consumed_capacity.h"

#include <utility>

#include "dinette/observe/request_details.h"
#include "dinette/observe/table_counters.h"

#include "dynamodb/api/capacity.h"
#include "dynamodb/api/consumed_capacity.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/vector_capacity.h"
#include "dynamodb/model/resource_arn.h"
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
  for (const Charge::VectorIndex& index : charge.vector_indexes) {
    api::VectorCapacity written;
    written.vector_write_request_bytes = static_cast<std::int64_t>(index.bytes);
    if (!capacity.vector_indexes) capacity.vector_indexes.emplace();
    capacity.vector_indexes->emplace_back(index.name, written);
  }
}

/// Capacity units by their kind.
struct Units {
  explicit Units(const Charge& charge)
      : read(charge.writes ? 0 : charge.units() - charge.failed),
        write(charge.writes ? charge.units() : charge.failed) {}

  double read;
  double write;
};

void count(observe::TableCounters& counters, std::string_view table_name, const Charge& charge) {
  const Units units(charge);
  table_name = model::plain_table_name(table_name);
  if (units.read > 0) counters.add_read(table_name, units.read);
  if (units.write > 0) counters.add_write(table_name, units.write);
}

void note(observe::RequestDetails& details, std::string_view table_name, const Charge& charge) {
  const Units units(charge);
  observe::TableUse& table = details.table(model::plain_table_name(table_name));
  table.read_units += units.read;
  table.write_units += units.write;
}

}  // namespace

void tell_gate(const Context& context, std::string_view table_name, const Charge& charge) {
  if (context.gate) context.gate->charge(context, table_name, charge);
  if (context.capacity) count(*context.capacity, table_name, charge);
  if (context.details) note(*context.details, table_name, charge);
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
