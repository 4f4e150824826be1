#include "dynamodb/tables/table_deletion.h"

#include <chrono>
#include <optional>
#include <stop_token>

#include "dinette/base/log.h"

#include "dynamodb/api/table_transition.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

/// A lock that delays a table change is soon released.
constexpr std::chrono::seconds until_next_try{1};

bool is_deleting(const store::Table& table) {
  const auto& transition = table.schema_as<TableSchema>().record().transition;
  return transition && transition->status == api::TableStatus::deleting;
}

}  // namespace

void finish_deletion_later(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  if (!is_deleting(table)) return;
  const auto& transition = *table.schema_as<TableSchema>().record().transition;
  const base::TimePoint due{std::chrono::milliseconds(transition.until.milliseconds)};
  jobs.add(due, [&store, table](const std::stop_token&) -> base::Jobs::Next {
    const auto dropped = store.catalog().drop(table, [](const store::Table& current) {
      return is_deleting(current) ? std::optional(store::TableDrop()) : std::nullopt;
    });
    if (dropped) return base::Jobs::done;
    base::log(base::LogLevel::warn, "a deleted table could not be removed yet",
              {{"table", table.name}, {"reason", dropped.error().message}});
    return store.clock().now() + until_next_try;
  });
}

}  // namespace dinette::dynamodb
