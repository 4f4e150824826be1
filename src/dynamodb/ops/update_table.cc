#include "dynamodb/api/update_table.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/indexes/index_build.h"
#include "dynamodb/indexes/index_updates.h"
#include "dynamodb/replicas/auto_scaling.h"
#include "dynamodb/replicas/describe_replicas.h"
#include "dynamodb/replicas/group_settings.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/overrides.h"
#include "dynamodb/replicas/replica_request.h"
#include "dynamodb/replicas/replica_updates.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/account_quotas.h"
#include "dynamodb/tables/change/change_limits.h"
#include "dynamodb/tables/change/table_changes.h"
#include "dynamodb/tables/change/update_conflicts.h"
#include "dynamodb/tables/change/update_request.h"
#include "dynamodb/tables/index_states.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tables/table_throughput.h"

// docs/service/tables.md sections 3 and 4.
namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_throughput(const Context& context, const api::TableRecord& record,
                              const api::TableSettings& current, const api::UpdateTableInput& input) {
  const api::BillingMode mode = input.billing_mode.value_or(current.billing_mode);
  const bool stays = mode == current.billing_mode;
  if (!stays && mode == api::BillingMode::pay_per_request)
    DINETTE_CHECK(check_switch_to_on_demand(record, context.now));
  if (!changes_throughput(input)) return {};
  const auto& wanted = input.provisioned_throughput;
  DINETTE_CHECK(check_provisioned(TableRequest::update, mode, wanted));
  DINETTE_CHECK(check_units({context.region}, wanted));
  if (!wanted || !stays) return {};
  DINETTE_CHECK(check_units_change({}, current.provisioned_throughput, *wanted));
  return check_decrease(current.throughput_changes, current.provisioned_throughput, *wanted, context.now);
}

/// `current` is the table's setting, or the one after a change in progress.
Answer<void> check_change(const Context& context, const api::TableRecord& record,
                          const api::TableSettings& current, const api::UpdateTableInput& input) {
  const api::BillingMode mode = input.billing_mode.value_or(current.billing_mode);
  const ThroughputOwner table{context.region};
  DINETTE_CHECK(check_throughput(context, record, current, input));
  DINETTE_CHECK(check_ceilings(TableRequest::update, mode, table, input.on_demand_throughput));
  DINETTE_CHECK(check_raised_warm_units(table, warm_units(current), input.warm_throughput));
  if (input.table_class) DINETTE_CHECK(check_table_class_change(record, context.now));
  if (!input.sse_specification) return {};
  DINETTE_CHECK(check_encryption_change(current.kms_master_key_arn, input.sse_specification));
  return check_encryption_changes(record, context.now);
}

/// Returns the settings in the response while the update is in progress: the former throughput, unless the
/// billing mode changes, and otherwise the new settings.
api::TableSettings shown_settings(const api::TableSettings& before, const api::TableSettings& after) {
  api::TableSettings settings = after;
  settings.global_secondary_indexes = before.global_secondary_indexes;
  settings.vector_indexes = before.vector_indexes;
  settings.kms_master_key_arn = before.kms_master_key_arn;
  settings.throughput_changes = before.throughput_changes;
  if (before.billing_mode == after.billing_mode) {
    settings.provisioned_throughput = before.provisioned_throughput;
    return settings;
  }
  for (auto& index : settings.global_secondary_indexes) {
    const auto same =
        std::ranges::find(after.global_secondary_indexes, index.id, &api::GlobalIndexRecord::id);
    if (same == after.global_secondary_indexes.end()) continue;
    index.definition.provisioned_throughput = same->definition.provisioned_throughput;
    index.definition.on_demand_throughput = same->definition.on_demand_throughput;
  }
  return settings;
}

/// One attempt's outcome: why it was refused, or what to show.
struct Outcome {
  Answer<void> checked;
  std::optional<api::StreamEntry> enabled_stream;
  api::TableStatus status{};
  api::TableSettings before;
  api::TableSettings after;
  TableCounts counts;
  std::int32_t last_index_id = 0;  ///< before the update; those of its new indexes are higher
};

api::TableDescription describe_updating(const Context& context, const TableSchema& schema,
                                        const api::UpdateTableInput& input, const Outcome& outcome) {
  const api::TableSettings settings = shown_settings(outcome.before, outcome.after);
  api::TableDescription description =
      describe(schema, {outcome.status, settings, context.now, outcome.counts, &outcome.after});
  if (input.warm_throughput) description.warm_throughput->status = api::TableStatus::updating;
  // Decreases are counted when they are complete, and dated at once (docs/service/throttling.md section 5).
  description.provisioned_throughput->last_decrease_date_time =
      outcome.after.throughput_changes.last_decrease;
  describe_replicas(schema.record(), context.region, context.now, ReplicaChanges::shown, description);
  return description;
}

std::chrono::milliseconds delay_of(const Context& context, const api::UpdateTableInput& input) {
  const Settings& settings = context.settings;
  return creates_or_deletes_indexes(input) ? std::max(settings.state_delay, settings.index_state_delay)
                                           : settings.state_delay;
}

/// Makes `record` that of the table from now on. A change that is under way and this one end together, when
/// the later one is complete. What takes no time is in force at once.
void settle(const Context& context, const api::UpdateTableInput& input, const Outcome& outcome,
            api::TableRecord& record) {
  api::TableSettings settled = outcome.after;
  settled.on_demand_throughput = without_removed(settled.on_demand_throughput);
  const bool changing = takes_time(input);
  const bool pending = record.transition && is_during(context.now, *record.transition);
  record.settings = changing || pending ? outcome.before : settled;
  record.settings.deletion_protection_enabled = settled.deletion_protection_enabled;
  if (changing) {
    codec::Timestamp until = context.now + delay_of(context, input);
    if (pending) until = std::max(until, record.transition->until);
    const bool changes_stream = input.stream_specification || (pending && record.transition->changes_stream);
    record.transition = api::TableTransition{outcome.status, until, settled, changes_stream, context.now};
  } else if (pending) {
    record.transition->settings = settled;
  } else {
    record.transition.reset();
  }
}

/// Enables or disables the stream, at once: records flow while the table is still UPDATING. Returns the
/// stream's entry, which is to be written with the table.
Answer<std::vector<store::EntryWrite>> change_stream(const Context& context,
                                                     const api::UpdateTableInput& input,
                                                     std::span<const store::StreamId> shards,
                                                     api::TableRecord& record, Outcome& outcome) {
  std::vector<store::EntryWrite> entries;
  outcome.enabled_stream.reset();
  if (!input.stream_specification) return entries;
  DINETTE_STORED(const store::View view, context.store.view());
  const StreamChange change{context.now, record.transition->until};
  if (input.stream_specification->stream_enabled) {
    DINETTE_STORED(
        outcome.enabled_stream,
        enable_stream(view, record, *input.stream_specification->stream_view_type, change, shards));
    entries.push_back(write_of(*outcome.enabled_stream));
  } else {
    DINETTE_STORED(const api::StreamEntry stream, disable_stream(view, record, change));
    entries.push_back(write_of(stream));
  }
  return entries;
}

Answer<void> check_stream_change(const api::TableRecord& record, const api::UpdateTableInput& input) {
  if (!input.stream_specification) return {};
  const bool enabled = record.stream && record.stream->view_type;
  if (record.replication && !input.stream_specification->stream_enabled)
    return invalid("Disabling Stream is not allowed for a Global Table replica.");
  if (input.stream_specification->stream_enabled != enabled) return {};
  return validation((enabled ? "Table already has an enabled stream: TableName: "
                             : "Table has no stream to disable: TableName: ") +
                    record.table_name);
}

/// Returns the settings with the units that the request gives to global indexes, and without those that it
/// deletes.
api::TableSettings with_index_units(api::TableSettings settings, const api::UpdateTableInput& input) {
  if (!updates_global_indexes(input)) return settings;
  auto& indexes = settings.global_secondary_indexes;
  for (const auto& update : *input.global_secondary_index_updates) {
    if (update.create) {
      indexes.emplace_back().definition.provisioned_throughput = update.create->provisioned_throughput;
    } else if (update.delete_) {
      std::erase_if(indexes, [&](const api::GlobalIndexRecord& index) {
        return index.definition.index_name == update.delete_->index_name;
      });
    } else if (update.update->provisioned_throughput) {
      for (api::GlobalIndexRecord& index : indexes) {
        if (index.definition.index_name == update.update->index_name)
          index.definition.provisioned_throughput = update.update->provisioned_throughput;
      }
    }
  }
  return settings;
}

/// Looks at all tables, which a decision about one must not.
Answer<void> check_quotas(const Context& context, const api::TableRecord& record,
                          const api::UpdateTableInput& input) {
  const TableState state = state_at(record, context.now);
  const api::TableSettings changed = changed_settings(context, state.target, input);
  return check_changed_quotas(context, state.target, with_index_units(changed, input));
}

/// Refuses what has to wait. In a global table one sentence serves for all reasons (docs/service/tables.md
/// section 8).
Answer<void> check_not_in_use(const Context& context, const api::TableRecord& record, const TableState& state,
                              const api::UpdateTableInput& input) {
  if (is_group_changing(record, context.now)) return group_in_use();
  auto checked = check_no_conflict(record, state, input);
  const bool in_use = !checked && checked.error().code == api::ErrorCode::resource_in_use_exception;
  return in_use && record.replication ? group_in_use() : std::move(checked);
}

/// Has the writes scaled of a global table that becomes provisioned, and of new indexes of one that is.
void scale_group(const api::UpdateTableInput& input, const api::TableSettings& before,
                 const api::TableSettings& after, api::TableRecord& record) {
  if (!record.replication) return;
  if (after.billing_mode == api::BillingMode::pay_per_request) return record.auto_scaling.reset();
  if (before.billing_mode != after.billing_mode) return scale_provisioned(record, after);
  if (!updates_global_indexes(input)) return;
  for (const auto& update : *input.global_secondary_index_updates) {
    if (update.create) scale_new_index(record, update.create->index_name);
  }
}

/// Returns the update of the table.
Answer<store::TableUpdate> change(const Context& context, const api::UpdateTableInput& input,
                                  std::span<const store::StreamId> shards, const store::Table& table,
                                  Outcome& outcome) {
  const api::TableRecord current = without_gone_members(table.schema_as<TableSchema>().record(), context.now);
  const TableState state = state_at(current, context.now);
  const api::TableSettings of_group = settings_of_group(current, state.target);
  DINETTE_CHECK(check_not_in_use(context, current, state, input));
  DINETTE_CHECK(check_stream_change(current, input));
  DINETTE_CHECK(check_change(context, current, of_group, input));
  outcome.status = makes_table_updating(input) ? api::TableStatus::updating : state.status;
  outcome.last_index_id = current.last_index_id;
  outcome.before = state.settings;
  outcome.after = changed_settings(context, of_group, input);
  DINETTE_TRY(outcome.counts, count_items(context, table));
  api::TableRecord record = current;
  DINETTE_TRY(std::vector<store::IndexId> dropped,
              update_indexes(context, input, record, outcome.before, outcome.after));
  keep_overrides(record, input, state.target, outcome.after);
  settle(context, input, outcome, record);
  scale_group(input, outcome.before, outcome.after, record);
  const codec::Timestamp complete = record.transition ? record.transition->until : context.now;
  note_changes(record, state.target, outcome.after, complete);
  DINETTE_TRY(auto entries, change_stream(context, input, shards, record, outcome));
  store::TableUpdate update(encode_record(record), std::move(dropped));
  update.entries = std::move(entries);
  return update;
}

std::optional<store::TableUpdate> decide(const Context& context, const api::UpdateTableInput& input,
                                         std::span<const store::StreamId> shards, const store::Table& current,
                                         Outcome& outcome) {
  auto update = change(context, input, shards, current, outcome);
  if (update) {
    outcome.checked = {};
    return std::move(update).value();
  }
  outcome.checked = base::Failure{std::move(update).error()};
  return std::nullopt;
}

/// Ids for the shards of a stream that is to be enabled.
Answer<std::vector<store::StreamId>> shards_for(const Context& context, const api::UpdateTableInput& input,
                                                const api::TableRecord& record) {
  std::vector<store::StreamId> shards;
  if (!input.stream_specification || !input.stream_specification->stream_enabled) return shards;
  DINETTE_STORED(shards, new_shards(context.store, first_shards(record)));
  return shards;
}

void ignore_empty_members(api::UpdateTableInput& input) {
  input.on_demand_throughput = unless_empty(input.on_demand_throughput);
  if (is_empty(input.warm_throughput)) input.warm_throughput.reset();
}

void build_new_indexes(const Context& context, const store::Table& table, const Outcome& outcome) {
  for (const IndexState& index : index_states(outcome.before)) {
    if (index.id > static_cast<store::IndexId>(outcome.last_index_id))
      build_index(context.store, context.jobs, table, index.id);
  }
}

/// Describes a table whose replicas, or what protects them, have been changed.
Answer<api::UpdateTableOutput> describe_group(const Context& context, const OpenTable& table,
                                              api::TableStatus status) {
  const TableState state = state_at(table.record(), context.now);
  DINETTE_TRY(TableCounts counts, count_items(context, *table.table));
  api::TableDescription description =
      describe(table.schema(), {status, state.settings, context.now, std::move(counts)});
  describe_replicas(table.record(), context.region, context.now, ReplicaChanges::hidden, description);
  return api::UpdateTableOutput{std::move(description)};
}

/// Changes how settings are replicated, which only a replica may have replicated with overrides.
Answer<api::UpdateTableOutput> change_replication_mode(const Context& context, const OpenTable& table,
                                                       api::GlobalTableSettingsReplicationMode mode) {
  const bool overrides = mode == api::GlobalTableSettingsReplicationMode::enabled_with_overrides;
  if (is_group_changing(table.record(), context.now)) return group_in_use();
  if (overrides && replicas_at(table.record(), context.now).empty()) {
    return validation(
        "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy "
        "constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.");
  }
  return describe_group(context, table, state_at(table.record(), context.now).status);
}

/// An update of one table, in one region.
Answer<api::UpdateTableOutput> update_regional(const Context& context, const api::UpdateTableInput& input,
                                               const OpenTable& table) {
  DINETTE_TRY(const auto shards, shards_for(context, input, table.record()));
  if (context.gate) context.gate->before_change(context, *table.table);
  Outcome outcome;
  const auto update = [&](const store::Table& current) {
    return decide(context, input, shards, current, outcome);
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, update));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_CHECK(std::move(outcome.checked));
  build_new_indexes(context, *updated, outcome);
  if (outcome.enabled_stream) {
    keep_stream(context.store, context.jobs, *outcome.enabled_stream, context.settings.stream_retention);
  }
  return api::UpdateTableOutput{
      describe_updating(context, updated->schema_as<TableSchema>(), input, outcome)};
}

/// The same in another region that has a replica.
Answer<void> update_replica(const Context& other, api::UpdateTableInput&& input) {
  DINETTE_TRY(const OpenTable replica, open_restored(other, input.table_name));
  DINETTE_CHECK(update_regional(other, input, replica));
  return {};
}

}  // namespace

Answer<api::UpdateTableOutput> update_table(const Context& context, api::UpdateTableInput&& input) {
  DINETTE_CHECK(check_update_request(input));
  ignore_empty_members(input);
  std::optional<ReplicaRequest> replicas;
  if (changes_replicas(input)) {
    DINETTE_TRY(replicas, read_replica_request(context, input));
  }
  DINETTE_TRY(const OpenTable table, open_restored(context, input.table_name));
  if (replicas) {
    DINETTE_TRY(const store::TablePointer updated, update_replicas(context, table, *replicas));
    return describe_group(context, {updated}, api::TableStatus::updating);
  }
  if (input.disassociation_protection_enabled) {
    DINETTE_CHECK(protect_from_disassociation(context, table, *input.disassociation_protection_enabled));
    DINETTE_TRY(const OpenTable protected_table, open_restored(context, input.table_name));
    return describe_group(context, protected_table, state_at(protected_table.record(), context.now).status);
  }
  if (input.global_table_settings_replication_mode)
    return change_replication_mode(context, table, *input.global_table_settings_replication_mode);
  DINETTE_CHECK(check_quotas(context, table.record(), input));
  DINETTE_TRY(auto output, update_regional(context, input, table));
  if (table.record().replication) update_other_replicas(context, table.record(), input, update_replica);
  return output;
}

}  // namespace dinette::dynamodb::ops
