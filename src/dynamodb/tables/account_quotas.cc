#include "dynamodb/tables/account_quotas.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

void add_units(const api::ProvisionedThroughput& units, AccountUse& use) {
  use.read_units += units.read_capacity_units;
  use.write_units += units.write_capacity_units;
}

AccountUse units_of(const api::TableSettings& settings) {
  AccountUse use;
  if (settings.billing_mode != api::BillingMode::provisioned) return use;
  add_units(settings.provisioned_throughput, use);
  for (const auto& index : settings.global_secondary_indexes) {
    if (index.definition.provisioned_throughput) add_units(*index.definition.provisioned_throughput, use);
  }
  return use;
}

/// The words of the service are not known.
Answer<void> check_units_of_account(const AccountUse& use) {
  constexpr std::int64_t most = model::limits::account_units;
  if (use.read_units <= most && use.write_units <= most) return {};
  const bool reads = use.read_units > most;
  return subscriber_limit("Provisioned " + std::string(reads ? "read" : "write") +
                          " capacity of all tables exceeds the account limit of " + std::to_string(most) +
                          " units");
}

AccountUse exchanged(AccountUse use, const AccountUse& before, const AccountUse& after) {
  use.read_units += after.read_units - before.read_units;
  use.write_units += after.write_units - before.write_units;
  return use;
}

}  // namespace

Answer<AccountUse> account_use(const Context& context) {
  DINETTE_STORED(const auto tables,
                 context.store.catalog().list("", std::numeric_limits<std::size_t>::max()));
  AccountUse use;
  for (const store::TablePointer& table : tables) {
    const api::TableRecord& record = table->schema_as<TableSchema>().record();
    const TableState state = state_at(record, context.now);
    if (state.gone || record.account != context.account || record.region != context.region) continue;
    ++use.tables;
    use = exchanged(use, {}, units_of(state.target));
  }
  return use;
}

Answer<void> check_new_table_quotas(const Context& context, const api::TableSettings& settings) {
  if (!context.settings.quotas) return {};
  DINETTE_TRY(const AccountUse use, account_use(context));
  constexpr std::size_t most = model::limits::account_tables;
  if (use.tables >= most)
    return subscriber_limit("There is a limit of " + std::to_string(most) + " tables per subscriber");
  return check_units_of_account(exchanged(use, {}, units_of(settings)));
}

Answer<void> check_changed_quotas(const Context& context, const api::TableSettings& before,
                                  const api::TableSettings& after) {
  if (!context.settings.quotas) return {};
  const AccountUse had = units_of(before);
  const AccountUse wants = units_of(after);
  if (wants.read_units <= had.read_units && wants.write_units <= had.write_units) return {};
  DINETTE_TRY(const AccountUse use, account_use(context));
  return check_units_of_account(exchanged(use, had, wants));
}

}  // namespace dinette::dynamodb
