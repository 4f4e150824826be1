#include "dynamodb/api/delete_table.h"

#include <optional>
#include <utility>
#include <vector>

#include "dynamodb/api/backup_entry.h"
#include "dynamodb/api/destination_log.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/deliveries/destination_changes.h"
#include "dynamodb/deliveries/destination_lane.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/replicas/replica_updates.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/backup_expiry.h"
#include "dynamodb/tables/change/update_conflicts.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_deletion.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_end.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_deletable(const api::TableRecord& record, const TableState& state) {
  using api::TableStatus;
  if (state.status == TableStatus::creating || state.status == TableStatus::deleting)
    return still_in_use(record, state.status);
  if (indexes_are_changing(state.settings))
    return still_in_use("Cannot delete table while indexes are being created, updated, or deleted.");
  if (record.transition && state.changing() && record.transition->changes_stream)
    return still_in_use("Cannot delete table while stream is being enabled/disabled.");
  if (state.status == TableStatus::updating)
    return still_in_use("Table: " + record.table_name + " is in the process of being updated.");
  if (!state.settings.deletion_protection_enabled) return {};
  return validation(
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
      "protection first.");
}

/// What was found of the table under its lock.
struct Found {
  Answer<void> checked;
  api::TableSettings settings;
  TableCounts counts;
  std::vector<store::EntryWrite> entries;  ///< to be written with the end of the table
  std::vector<api::DestinationLog> logs;   ///< that end with it
  std::optional<api::BackupEntry> backup;  ///< what stays of it
};

codec::Timestamp end_of_deletion(const Context& context) {
  return context.now + context.settings.state_delay;
}

/// Ends the recording of changes in the table's stream and for its Kinesis destination, which outlives the
/// table.
Answer<void> end_recording(const Context& context, api::TableRecord& record, Found& found) {
  found.entries.clear();
  found.logs = end_logs(record);
  for (const api::DestinationLog& log : found.logs) found.entries.push_back(write_of(log));
  if (!record.stream || record.stream->shards.empty()) return {};
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(const api::StreamEntry stream,
                 end_stream(view, record, {context.now, end_of_deletion(context)}));
  found.entries.push_back(write_of(stream));
  DINETTE_STORED(store::EntryWrite note, note_of_ended(view, stream));
  found.entries.push_back(std::move(note));
  return {};
}

/// Returns what the table is in the end, if it may go now.
std::optional<api::TableRecord> look(const Context& context, const store::Table& current, Found& found) {
  api::TableRecord record = current.schema_as<TableSchema>().record();
  const TableState state = state_at(record, context.now);
  found.checked = check_deletable(record, state);
  if (!found.checked) return std::nullopt;
  found.settings = state.settings;
  auto counts = count_items(context, current);
  if (counts)
    found.counts = std::move(counts).value();
  else
    found.checked = base::Failure{std::move(counts).error()};
  if (found.checked.ok()) found.checked = end_recording(context, record, found);
  return found.checked.ok() ? std::optional(std::move(record)) : std::nullopt;
}

/// The end of the table, if it may go now.
std::optional<store::TableDrop> end(const Context& context, const store::Table& current, Found& found) {
  if (!look(context, current, found)) return std::nullopt;
  auto end = end_of_table(context.store, current, context.now, context.settings.recovery_window);
  if (!end) {
    found.checked = storage_failure(end.error());
    return std::nullopt;
  }
  found.backup = std::move(end->backup);
  auto& entries = end->drop.entries;
  entries.insert(entries.end(), found.entries.begin(), found.entries.end());
  return std::move(end->drop);
}

/// The table, DELETING until its time is over.
store::TableUpdate deleting(const Context& context, api::TableRecord record, const Found& found) {
  record.settings = found.settings;
  record.transition = api::TableTransition{api::TableStatus::deleting, end_of_deletion(context),
                                           record.settings, false, context.now};
  store::TableUpdate update(encode_record(record));
  update.entries = found.entries;
  return update;
}

/// Describes a replica that the others are asked to remove.
Answer<api::DeleteTableOutput> describe_leaving(const Context& context, const OpenTable& table) {
  const TableState state = state_at(table.record(), context.now);
  DINETTE_TRY(TableCounts counts, count_items(context, *table.table));
  return api::DeleteTableOutput{describe_deleted(
      table.schema(), {api::TableStatus::deleting, state.settings, context.now, std::move(counts)})};
}

}  // namespace

Answer<api::DeleteTableOutput> delete_table(const Context& context, api::DeleteTableInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  DINETTE_TRY(const bool leaves, leave_group(context, table));
  if (leaves) return describe_leaving(context, table);
  Found found{table_not_found(table.table->name), {}, {}, {}, {}, {}};  // unless it is still there
  const auto drop = [&](const store::Table& current) { return end(context, current, found); };
  const auto mark = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    auto record = look(context, current, found);
    if (!record) return std::nullopt;
    return deleting(context, *std::move(record), found);
  };
  if (context.settings.state_delay.count() == 0) {
    DINETTE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*table.table, drop));
  } else {
    DINETTE_STORED(const store::TablePointer marked, context.store.catalog().update(*table.table, mark));
    if (found.checked && marked)
      finish_deletion_later(context.store, context.jobs, *marked, context.settings.recovery_window);
  }
  DINETTE_CHECK(std::move(found.checked));
  if (!found.entries.empty()) limit_ended_streams(context.store, context.jobs);
  for (const api::DestinationLog& log : found.logs)
    deliver_changes(context.world, context.store, context.settings.kinesis, log);
  if (found.backup) expire_backup_later(context.store, context.jobs, *found.backup);
  if (context.gate) context.gate->after_deletion(context, *table.table);
  return api::DeleteTableOutput{describe_deleted(
      table.schema(), {api::TableStatus::deleting, found.settings, context.now, std::move(found.counts)})};
}

}  // namespace dinette::dynamodb::ops
