#include "cql/statements/truncate_plan.h"

#include <utility>

#include "cql/data/row_write.h"

namespace dinette::cql::statements {

Answer<std::shared_ptr<const DataPlan>> TruncatePlan::make(const Place& place, std::string_view keyspace,
                                                           grammar::Statement statement) {
  if (place.strict()) {
    return invalid("Unsupported statement type class org.apache.cassandra.cql3.statements.TruncateStatement");
  }
  std::shared_ptr<TruncatePlan> plan(new TruncatePlan(std::move(statement), keyspace));
  const auto& truncate = std::get<grammar::Truncate>(plan->statement_.value);
  DINETTE_TRY(plan->open_, open_table(place, keyspace, truncate.table));
  DINETTE_CHECK(system::check_modifiable(plan->open_.table().keyspace));
  return std::shared_ptr<const DataPlan>(std::move(plan));
}

Answer<std::optional<Outcome>> TruncatePlan::run(const Place& place, std::span<const frames::Value>,
                                                 const Options&) const {
  DINETTE_TRY(const data::Written written, data::delete_all(place.store, *open_.stored));
  if (written == data::Written::table_changed) return std::optional<Outcome>();
  return std::optional(Outcome(Void{}));
}

}  // namespace dinette::cql::statements
