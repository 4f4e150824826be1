#include "dynamodb/api/operations.h"
#include "dynamodb/ops/index_build.h"
#include "dynamodb/ops/index_updates.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/table_description.h"
#include "dynamodb/ops/table_encryption.h"
#include "dynamodb/ops/table_state.h"
#include "dynamodb/ops/table_throughput.h"

// Facts: tables.md sections 3 and 4.
namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_served(const api::UpdateTableInput& input) {
  const auto refuse = [](std::string_view member) {
    return invalid(std::string(member) + " is not supported by Dinette yet");
  };
  if (input.stream_specification) return refuse("StreamSpecification");
  if (input.replica_updates) return refuse("ReplicaUpdates");
  if (input.multi_region_consistency) return refuse("MultiRegionConsistency");
  if (input.global_table_witness_updates) return refuse("GlobalTableWitnessUpdates");
  if (input.global_table_settings_replication_mode) return refuse("GlobalTableSettingsReplicationMode");
  if (input.disassociation_protection_enabled) return refuse("DisassociationProtectionEnabled");
  if (input.vector_index_updates) return refuse("VectorIndexUpdates");
  return {};
}

bool updates_indexes(const api::UpdateTableInput& input) {
  return input.global_secondary_index_updates && !input.global_secondary_index_updates->empty();
}

Answer<void> check_asks_something(const api::UpdateTableInput& input) {
  const bool asks = input.billing_mode || input.provisioned_throughput || input.sse_specification ||
                    input.table_class || input.deletion_protection_enabled || input.on_demand_throughput ||
                    input.warm_throughput || updates_indexes(input);
  if (asks) return {};
  return validation(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

Answer<void> check_throughput_changes(const api::TableSettings& current, const api::UpdateTableInput& input,
                                      api::BillingMode mode) {
  if (!input.provisioned_throughput || current.billing_mode != mode) return {};
  const auto& now_units = current.provisioned_throughput;
  const auto& wanted = *input.provisioned_throughput;
  if (now_units.read_capacity_units != wanted.read_capacity_units ||
      now_units.write_capacity_units != wanted.write_capacity_units) {
    return {};
  }
  const auto figures = [](std::string_view unit, std::int64_t value, std::int64_t requested) {
    return "Current " + std::string(unit) + " provisioned for the table: " + std::to_string(value) +
           ". Requested " + std::string(unit) + ": " + std::to_string(requested) + ". ";
  };
  return validation(
      "The provisioned throughput for the table will not change. The requested value equals the current "
      "value. " +
      figures("ReadCapacityUnits", now_units.read_capacity_units, wanted.read_capacity_units) +
      figures("WriteCapacityUnits", now_units.write_capacity_units, wanted.write_capacity_units) +
      "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.");
}

Answer<void> check_warm_throughput(const api::TableSettings& current, const api::UpdateTableInput& input) {
  if (!input.warm_throughput) return {};
  const auto now_units =
      warm_units(current.warm_throughput, current.billing_mode, current.provisioned_throughput);
  const auto lowers = [](std::optional<std::int64_t> from, std::optional<std::int64_t> to) {
    return to && *to < *from;
  };
  const bool lower = lowers(now_units.read_units_per_second, input.warm_throughput->read_units_per_second) ||
                     lowers(now_units.write_units_per_second, input.warm_throughput->write_units_per_second);
  if (lower) return invalid("Requested WarmThroughput for table is lower than the current WarmThroughput");
  return {};
}

Answer<void> check_change(const api::TableSettings& current, const api::UpdateTableInput& input) {
  const api::BillingMode mode = input.billing_mode.value_or(current.billing_mode);
  const bool throughput_matters = mode != current.billing_mode || input.provisioned_throughput;
  if (throughput_matters) DINETTE_CHECK(check_provisioned(mode, input.provisioned_throughput));
  DINETTE_CHECK(check_throughput_changes(current, input, mode));
  if (input.on_demand_throughput && !unless_empty(input.on_demand_throughput)) {
    return base::Failure{ApiError{api::ErrorCode::internal_failure, ""}};  // the service's own stumble
  }
  DINETTE_CHECK(check_ceilings(CeilingChange::update, mode, "table", input.on_demand_throughput));
  return check_warm_throughput(current, input);
}

void change_billing(api::TableSettings& settings, const api::UpdateTableInput& input,
                    codec::Timestamp moment) {
  const api::BillingMode mode = input.billing_mode.value_or(settings.billing_mode);
  if (mode == settings.billing_mode) {
    if (!input.provisioned_throughput) return;
    note_change(settings.throughput_changes, settings.provisioned_throughput, *input.provisioned_throughput,
                moment);
    settings.provisioned_throughput = *input.provisioned_throughput;
    return;
  }
  settings.billing_mode = mode;
  if (mode == api::BillingMode::provisioned) {
    settings.provisioned_throughput = *input.provisioned_throughput;
    settings.on_demand_throughput.reset();
    for (auto& index : settings.global_secondary_indexes) index.definition.on_demand_throughput.reset();
    return;
  }
  settings.provisioned_throughput = {};
  settings.last_update_to_pay_per_request = moment;
  for (auto& index : settings.global_secondary_indexes) index.definition.provisioned_throughput.reset();
}

/// The settings after the update, ceilings that are to go still standing as -1.
api::TableSettings changed(const Context& context, api::TableSettings settings,
                           const api::UpdateTableInput& input) {
  const codec::Timestamp moment = now(context);
  change_billing(settings, input, moment);
  settings.on_demand_throughput = merged_ceilings(settings.on_demand_throughput, input.on_demand_throughput);
  settings.warm_throughput = merged_warm_units(settings.warm_throughput, input.warm_throughput);
  if (input.sse_specification) settings.kms_master_key_arn = key_arn(context, input.sse_specification);
  if (input.table_class) {
    settings.table_class = input.table_class;
    settings.table_class_updated = moment;
  }
  if (input.deletion_protection_enabled)
    settings.deletion_protection_enabled = *input.deletion_protection_enabled;
  return settings;
}

/// Deletion protection takes effect at once; everything else takes its time.
bool takes_time(const api::UpdateTableInput& input) {
  return input.billing_mode || input.provisioned_throughput || input.sse_specification || input.table_class ||
         input.on_demand_throughput || input.warm_throughput || updates_indexes(input);
}

/// What the answer shows while the update is under way: throughput as it was, the rest as it will be.
api::TableDescription describe_updating(const TableSchema& schema, const api::TableSettings& before,
                                        const api::TableSettings& after, const Shown& shown) {
  api::TableSettings settings = after;
  settings.provisioned_throughput = before.provisioned_throughput;
  settings.throughput_changes = before.throughput_changes;
  settings.global_secondary_indexes = before.global_secondary_indexes;
  const bool decrypting = before.kms_master_key_arn && !after.kms_master_key_arn;
  if (decrypting) settings.kms_master_key_arn = before.kms_master_key_arn;
  api::TableDescription description = describe(schema, {shown.status, settings, shown.moment, shown.counts});
  if (decrypting) description.sse_description->status = api::SSEStatus::updating;
  if (!description.global_secondary_indexes) return description;
  // Nothing has been filled yet.
  for (auto& index : *description.global_secondary_indexes) {
    if (index.backfilling) index.backfilling = false;
  }
  return description;
}

base::Failure<ApiError> in_use(const api::UpdateTableInput& input, const api::TableRecord& record,
                               const TableState& state) {
  if (input.global_secondary_index_updates && indexes_are_changing(state.settings))
    return several_indexes_at_once();
  return still_in_use(record, state.status);
}

/// One attempt's outcome: why it was refused, or what to show.
struct Outcome {
  Answer<void> checked;
  api::TableSettings before;
  api::TableSettings after;
  TableCounts counts;
};

/// What the table becomes.
Answer<store::TableUpdate> change(const Context& context, const api::UpdateTableInput& input,
                                  const store::Table& table, Outcome& outcome) {
  const api::TableRecord& current = table.schema_as<TableSchema>().record();
  const TableState state = state_at(current, now(context));
  if (state.status != api::TableStatus::active) return in_use(input, current, state);
  DINETTE_CHECK(check_change(state.settings, input));
  outcome.before = state.settings;
  outcome.after = changed(context, state.settings, input);
  DINETTE_TRY(outcome.counts, count_items(context, table));
  api::TableRecord record = current;
  DINETTE_TRY(std::vector<store::IndexId> dropped,
              update_indexes(input, record, outcome.before, outcome.after, now(context)));
  api::TableSettings settled = outcome.after;
  settled.on_demand_throughput = without_removed(settled.on_demand_throughput);
  record.settings = takes_time(input) ? outcome.before : settled;
  record.settings.deletion_protection_enabled = settled.deletion_protection_enabled;
  record.transition.reset();
  const codec::Timestamp until{now(context).milliseconds + context.settings.state_delay.count()};
  if (takes_time(input)) record.transition = api::TableTransition{api::TableStatus::updating, until, settled};
  return store::TableUpdate(encode_record(record), std::move(dropped));
}

std::optional<store::TableUpdate> decide(const Context& context, const api::UpdateTableInput& input,
                                         const store::Table& current, Outcome& outcome) {
  auto update = change(context, input, current, outcome);
  if (update) {
    outcome.checked = {};
    return std::move(update).value();
  }
  outcome.checked = base::Failure{std::move(update).error()};
  return std::nullopt;
}

void build_new_indexes(const Context& context, const store::Table& table, const api::TableSettings& before) {
  for (const auto& index : before.global_secondary_indexes) {
    if (index.building) build_index(context, table, static_cast<store::IndexId>(index.id));
  }
}

}  // namespace

Answer<api::UpdateTableOutput> update_table(const Context& context, api::UpdateTableInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  DINETTE_CHECK(check_served(input));
  DINETTE_CHECK(check_asks_something(input));
  DINETTE_CHECK(check_index_updates(input));
  Outcome outcome;
  const auto update = [&](const store::Table& current) { return decide(context, input, current, outcome); };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, update));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_CHECK(std::move(outcome.checked));
  build_new_indexes(context, *updated, outcome.before);
  const auto status = takes_time(input) ? api::TableStatus::updating : api::TableStatus::active;
  return api::UpdateTableOutput{
      describe_updating(updated->schema_as<TableSchema>(), outcome.before, outcome.after,
                        {status, outcome.after, now(context), std::move(outcome.counts)})};
}

}  // namespace dinette::dynamodb::ops
