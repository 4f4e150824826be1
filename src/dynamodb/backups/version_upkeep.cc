#include "dynamodb/backups/version_upkeep.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "dinette/tenancy/upkeep.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/recovery.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

/// A restore to the earliest time that was accepted a moment ago still finds what it needs.
constexpr std::chrono::minutes longer_kept{1};
/// Each pass reads everything that is kept, so there are at most this many in a period.
constexpr int passes_per_period = 24;
/// A pass does all that earlier ones would have done, so that a clock that is moved needs one, in its last
/// hour.
constexpr std::chrono::hours last_pass{1};

class VersionUpkeep {
 public:
  VersionUpkeep(store::Store& store, std::string name, std::chrono::milliseconds longest)
      : store_(store), name_(std::move(name)), longest_(longest) {}

  /// Returns when there is something to do again.
  kv::Result<base::Jobs::Next> step() {
    DINETTE_TRY(const store::TablePointer table, store_.catalog().open(name_));
    if (!table) return base::Jobs::done;
    const auto& record = table->schema_as<TableSchema>().record();
    if (!record.recovery) return base::Jobs::done;
    const base::TimePoint now = store_.clock().now();
    const auto period = period_of(*record.recovery, longest_);
    // A copy may be made of a time that is too long ago by now.
    if (has_readers(record)) return base::Jobs::Next(now + longer_kept);
    DINETTE_TRY(const auto next, store_.trim_versions(*table, now - period - longer_kept, place_));
    place_ = next.value_or("");
    const auto pause = std::max<std::chrono::milliseconds>(period / passes_per_period, longer_kept);
    return base::Jobs::Next(next ? base::Jobs::at_once : now + pause);
  }

 private:
  store::Store& store_;
  const std::string name_;
  const std::chrono::milliseconds longest_;
  std::string place_;  ///< of the pass under way; empty: a new one begins
};

}  // namespace

void trim_versions_later(store::Store& store, base::Jobs& jobs, const store::Table& table,
                         std::chrono::milliseconds longest) {
  if (!table.schema_as<TableSchema>().record().recovery) return;
  tenancy::run_upkeep(
      store, jobs, "former values of " + table.name, base::Jobs::at_once,
      [upkeep = VersionUpkeep(store, table.name, longest)](const std::stop_token&) mutable {
        return upkeep.step();
      },
      last_pass);
}

}  // namespace dinette::dynamodb
