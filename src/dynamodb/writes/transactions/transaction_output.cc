#include "dynamodb/writes/transactions/transaction_output.h"

#include <algorithm>

#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/writes/item_collection_metrics.h"
#include "dynamodb/writes/write_charge.h"

namespace dinette::dynamodb {
namespace {

/// Transactions pay twice for the table, but not for its indexes.
Charge charge_in_transaction(const WritePlan& plan) {
  Charge charge = charge_of(plan);
  charge.table *= 2;
  return charge;
}

}  // namespace

Charge charge_of_action(const WrittenTransaction& written, std::size_t index) {
  if (written.replayed()) return {.table = 2.0 * written.read_units[index]};
  return charge_in_transaction(written.items[index].plan);
}

CapacityList transaction_capacity(const Context& context, api::ReturnConsumedCapacity wanted,
                                  std::span<const TransactionAction> actions,
                                  const WrittenTransaction& written) {
  TableCharges charges;
  for (std::size_t i = 0; i < actions.size(); ++i)
    charges.add(actions[i].table_name, charge_of_action(written, i));
  return charges.consumed_capacity(context, wanted,
                                   written.replayed() ? CapacityAxis::read : CapacityAxis::write);
}

Answer<CollectionMetrics> transaction_metrics(const Context& context, api::ReturnItemCollectionMetrics wanted,
                                              std::span<const TransactionAction> actions) {
  CollectionMetrics all;
  for (const TransactionAction& action : actions) {
    // A condition check changes no collection (docs/service/capacity.md section 6).
    if (action.action->only_checks()) continue;
    DINETTE_TRY(auto one,
                item_collection_metrics(context, wanted, action.table, action.action->key_attributes()));
    if (!one) continue;
    if (!all) all.emplace();
    const std::string name(action.table_name);
    auto table = std::ranges::find(*all, name, [](const auto& entry) { return entry.first; });
    if (table == all->end()) table = all->emplace(table, name, std::vector<api::ItemCollectionMetrics>());
    add_metrics(table->second, *std::move(one));
  }
  return all;
}

}  // namespace dinette::dynamodb
