#include "dynamodb/api/operations.h"
#include "dynamodb/ops/index_updates.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/table_description.h"

namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_deletable(const OpenTable& table, const TableState& state) {
  using api::TableStatus;
  if (state.status == TableStatus::updating && indexes_are_changing(state.settings)) {
    return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception,
                                  "Attempt to change a resource which is still in use: Cannot delete table "
                                  "while indexes are being created, updated, or deleted."}};
  }
  if (state.status == TableStatus::creating || state.status == TableStatus::updating) {
    return base::Failure{
        ApiError{api::ErrorCode::resource_in_use_exception,
                 "Attempt to change a resource which is still in use: Table is being " +
                     std::string(state.status == TableStatus::creating ? "created" : "updated") + ": " +
                     table.record().table_name}};
  }
  if (!state.settings.deletion_protection_enabled) return {};
  return validation(
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
      "protection first.");
}

/// Without a delay the table is gone at once; else it stays, DELETING, until its time is over.
Answer<void> remove(const Context& context, const OpenTable& table) {
  if (context.settings.state_delay.count() == 0) {
    DINETTE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*table.table));
    return {};
  }
  const codec::Timestamp until{now(context).milliseconds + context.settings.state_delay.count()};
  const auto mark = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    if (current.id != table.table->id) return std::nullopt;
    api::TableRecord record = current.schema_as<TableSchema>().record();
    if (record.transition && record.transition->status == api::TableStatus::deleting) return std::nullopt;
    record.settings = state_at(record, now(context)).settings;
    record.transition = api::TableTransition{api::TableStatus::deleting, until, record.settings};
    return encode_record(record);
  };
  DINETTE_STORED([[maybe_unused]] const store::TablePointer marked,
                 context.store.catalog().update(context.name_space, table.table->name, mark));
  return {};
}

}  // namespace

Answer<api::DeleteTableOutput> delete_table(const Context& context, api::DeleteTableInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  const TableState state = state_at(table.record(), now(context));
  DINETTE_CHECK(check_deletable(table, state));
  DINETTE_TRY(TableCounts counts, count_items(context, *table.table));
  DINETTE_CHECK(remove(context, table));
  return api::DeleteTableOutput{describe_deleted(
      table.schema(), {api::TableStatus::deleting, state.settings, now(context), std::move(counts)})};
}

}  // namespace dinette::dynamodb::ops
