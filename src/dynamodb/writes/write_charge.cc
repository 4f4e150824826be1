#include "dynamodb/writes/write_charge.h"

#include <algorithm>
#include <optional>

#include "dynamodb/api/limits.h"
#include "dynamodb/request/consumed_capacity.h"

namespace dinette::dynamodb {
namespace {

double units_of(const std::optional<IndexEntry>& entry) {
  return entry ? write_units(entry->size) : 0;
}

std::size_t vector_bytes_of(const std::optional<IndexEntry>& entry) {
  return entry ? std::max<std::size_t>(entry->size, model::limits::vector_request_bytes) : 0;
}

/// Returns what a write costs in one index of vectors; 0 means that it was not changed
/// (docs/service/vector-search.md, "Capacity").
std::size_t vector_bytes_of(const IndexPlan& plan) {
  if (plan.changes_nothing()) return 0;
  const std::size_t before = vector_bytes_of(plan.before);
  const std::size_t after = vector_bytes_of(plan.after);
  return plan.moves() ? before + after : std::max(before, after);
}

}  // namespace

double units_of(const IndexPlan& plan) {
  if (plan.changes_nothing()) return 0;
  const double before = units_of(plan.before);
  const double after = units_of(plan.after);
  return plan.moves() ? before + after : std::max(before, after);
}

Charge charge_of(const WritePlan& plan) {
  Charge charge{.table = write_units(plan.charged_size), .writes = true};
  for (const IndexPlan& entry : plan.indexes) {
    if (entry.index->vector) {
      const std::size_t bytes = vector_bytes_of(entry);
      if (bytes > 0) charge.add(Charge::VectorIndex{entry.index->name, bytes});
      continue;
    }
    const double units = units_of(entry);
    if (units > 0) charge.add({entry.index->name, entry.index->local, units});
  }
  return charge;
}

ApiError refused_write(ApiError error, const StoredItem& stored) {
  error.consumed = write_units(stored.size());
  return error;
}

void charge_failure(const Context& context, std::string_view table_name, const ApiError& error) {
  if (error.consumed > 0) tell_gate(context, table_name, {.failed = error.consumed});
}

}  // namespace dinette::dynamodb
