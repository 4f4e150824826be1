#include "dynamodb/tables/table_deletion.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "dinette/tenancy/upkeep.h"

#include "dynamodb/api/table_transition.h"
#include "dynamodb/tables/backup_expiry.h"
#include "dynamodb/tables/table_end.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

bool is_deleting(const store::Table& table) {
  const auto& transition = table.schema_as<TableSchema>().record().transition;
  return transition && transition->status == api::TableStatus::deleting;
}

}  // namespace

kv::Result<void> end_deletion(store::Store& store, base::Jobs& jobs, const store::Table& table,
                              std::chrono::milliseconds longest) {
  kv::Result<TableEnd> end = TableEnd();
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableDrop> {
    end = TableEnd();
    if (!is_deleting(current)) return std::nullopt;
    const auto& transition = *current.schema_as<TableSchema>().record().transition;
    end = end_of_table(store, current, transition.until, longest);
    return end ? std::optional(end->drop) : std::nullopt;
  };
  DINETTE_TRY(const bool dropped, store.catalog().drop(table, decide));
  DINETTE_CHECK(end);
  if (dropped && end->backup) expire_backup_later(store, jobs, *end->backup);
  return {};
}

void finish_deletion_later(store::Store& store, base::Jobs& jobs, const store::Table& table,
                           std::chrono::milliseconds longest) {
  const auto& replication = table.schema_as<TableSchema>().record().replication;
  // A replica goes when the others have its changes (replicas/replica_work.h).
  if (!is_deleting(table) || (replication && replication->leaving)) return;
  const auto& transition = *table.schema_as<TableSchema>().record().transition;
  const base::TimePoint due = transition.until.time();
  tenancy::run_upkeep(
      store, jobs, "deletion of " + table.name + " " + std::to_string(table.id), due,
      [&store, &jobs, table, longest](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
        DINETTE_CHECK(end_deletion(store, jobs, table, longest));
        return base::Jobs::done;
      });
}

}  // namespace dinette::dynamodb
