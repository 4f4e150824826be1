#include "dynamodb/api/delete_table.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_deletion.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tables/update_conflicts.h"

namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_deletable(const api::TableRecord& record, const TableState& state) {
  using api::TableStatus;
  if (state.status == TableStatus::creating || state.status == TableStatus::deleting)
    return still_in_use(record, state.status);
  if (indexes_are_changing(state.settings))
    return still_in_use("Cannot delete table while indexes are being created, updated, or deleted.");
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
};

/// Returns true if the table may go now.
bool look(const Context& context, const store::Table& current, Found& found) {
  const api::TableRecord& record = current.schema_as<TableSchema>().record();
  const TableState state = state_at(record, now(context));
  found.checked = check_deletable(record, state);
  if (!found.checked) return false;
  found.settings = state.settings;
  auto counts = count_items(context, current);
  if (counts)
    found.counts = std::move(counts).value();
  else
    found.checked = base::Failure{std::move(counts).error()};
  return found.checked.ok();
}

/// The table, DELETING until its time is over.
store::TableUpdate deleting(const Context& context, const store::Table& current) {
  api::TableRecord record = current.schema_as<TableSchema>().record();
  const codec::Timestamp until{now(context).milliseconds + context.settings.state_delay.count()};
  record.settings = state_at(record, now(context)).settings;
  record.transition = api::TableTransition{api::TableStatus::deleting, until, record.settings};
  return encode_record(record);
}

}  // namespace

Answer<api::DeleteTableOutput> delete_table(const Context& context, api::DeleteTableInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  Found found{table_not_found(table.table->name), {}, {}};  // unless it is still there
  const auto may_go = [&](const store::Table& current) { return look(context, current, found); };
  const auto mark = [&](const store::Table& current) {
    return may_go(current) ? std::optional(deleting(context, current)) : std::nullopt;
  };
  if (context.settings.state_delay.count() == 0) {
    DINETTE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*table.table, may_go));
  } else {
    DINETTE_STORED(const store::TablePointer marked, context.store.catalog().update(*table.table, mark));
    if (found.checked && marked) finish_deletion_later(context.store, context.jobs, *marked);
  }
  DINETTE_CHECK(std::move(found.checked));
  return api::DeleteTableOutput{describe_deleted(
      table.schema(), {api::TableStatus::deleting, found.settings, now(context), std::move(found.counts)})};
}

}  // namespace dinette::dynamodb::ops
