#include "dynamodb/request/table_charges.h"

#include <algorithm>

#include "dynamodb/request/table_order.h"

namespace dinette::dynamodb {

void TableCharges::add(std::string_view table_name, const Charge& charge) {
  const auto same = std::ranges::find(tables_, table_name, [](const auto& table) { return table.first; });
  if (same == tables_.end())
    tables_.emplace_back(table_name, charge);
  else
    same->second.add(charge);
}

void TableCharges::tell_gate(const Context& context) const {
  for (const auto& [name, charge] : tables_) dynamodb::tell_gate(context, name, charge);
}

std::optional<std::vector<api::ConsumedCapacity>> TableCharges::consumed_capacity(
    const Context& context, api::ReturnConsumedCapacity wanted, CapacityAxis axis) const {
  std::vector<std::string_view> names;
  for (const auto& table : tables_) names.push_back(table.first);
  std::optional<std::vector<api::ConsumedCapacity>> list;
  for (const std::size_t position : order_of_tables(names)) {
    const auto& [name, charge] = tables_[position];
    add_consumed_capacity(list, context, wanted, name, charge, axis);
  }
  return list;
}

}  // namespace dinette::dynamodb
