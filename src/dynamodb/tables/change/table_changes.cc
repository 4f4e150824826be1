#include "dynamodb/tables/change/table_changes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb {
namespace {

void switch_to_provisioned(api::TableSettings& settings, const api::ProvisionedThroughput& units) {
  settings.provisioned_throughput = units;
  settings.on_demand_throughput.reset();
  for (auto& index : settings.global_secondary_indexes) index.definition.on_demand_throughput.reset();
}

/// Counts as a decrease for each index, not for the table (docs/service/throttling.md section 5).
void switch_to_on_demand(api::TableSettings& settings, codec::Timestamp moment) {
  settings.provisioned_throughput = {};
  settings.last_update_to_pay_per_request = moment;
  for (auto& index : settings.global_secondary_indexes) {
    auto& units = index.definition.provisioned_throughput;
    if (units) note_change(index.throughput_changes, *units, {}, moment);
    units.reset();
  }
}

/// The warm throughput that a table or index has reached stays, whatever its units become.
void keep_warm(api::TableSettings& settings) {
  settings.warm_throughput = warm_units(settings);
  for (auto& index : settings.global_secondary_indexes)
    index.definition.warm_throughput = warm_units(index.definition, settings.billing_mode);
}

void change_billing(api::TableSettings& settings, const api::UpdateTableInput& input,
                    codec::Timestamp moment) {
  const api::BillingMode mode = input.billing_mode.value_or(settings.billing_mode);
  const auto& units = input.provisioned_throughput;
  if (mode == settings.billing_mode && !units) return;
  keep_warm(settings);
  if (mode == settings.billing_mode) {
    note_change(settings.throughput_changes, settings.provisioned_throughput, *units, moment);
    settings.provisioned_throughput = *units;
    return;
  }
  settings.billing_mode = mode;
  if (mode == api::BillingMode::provisioned)
    switch_to_provisioned(settings, *units);
  else
    switch_to_on_demand(settings, moment);
}

/// Changes the class; a table that was never given one has STANDARD.
void change_class(api::TableSettings& settings, api::TableClass wanted, codec::Timestamp moment) {
  if (settings.table_class.value_or(api::TableClass::standard) == wanted) return;
  settings.table_class = wanted;
  settings.table_class_updated = moment;
}

}  // namespace

api::TableSettings changed_settings(const Context& context, api::TableSettings settings,
                                    const api::UpdateTableInput& input) {
  const codec::Timestamp moment = context.now;
  change_billing(settings, input, moment);
  settings.on_demand_throughput = merged_ceilings(settings.on_demand_throughput, input.on_demand_throughput);
  settings.warm_throughput = merged_warm_units(settings.warm_throughput, input.warm_throughput);
  if (input.sse_specification) settings.kms_master_key_arn = key_arn(context, input.sse_specification);
  if (input.table_class) change_class(settings, *input.table_class, moment);
  if (input.deletion_protection_enabled)
    settings.deletion_protection_enabled = *input.deletion_protection_enabled;
  return settings;
}

}  // namespace dinette::dynamodb
