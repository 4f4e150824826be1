#include "dynamodb/insights/contributor_report.h"

#include <limits>
#include <string>
#include <string_view>

#include "dynamodb/insights/contributor_insights.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t most_keys = 20;

/// Returns what the rule of that name counts: its name has PKC, SKC, PKT or SKT after the first hyphen.
CountedKeys counted_by(std::string_view rule) {
  const std::string_view kind = rule.substr(rule.find('-') + 1, 3);
  if (kind == "PKC") return CountedKeys::partitions_accessed;
  if (kind == "SKC") return CountedKeys::items_accessed;
  return kind == "PKT" ? CountedKeys::partitions_throttled : CountedKeys::items_throttled;
}

void append_rules(const InsightsTarget& target, const KeyCounts& counts,
                  std::vector<observe::ContributorRule>& out) {
  const api::InsightsRecord* const insights = find_insights(target.table.record(), target.index);
  if (insights == nullptr || !insights->enabled) return;
  const store::Table& table = *target.table.table;
  for (std::string& rule : insights_rules(*insights, target)) {
    auto keys = counts.top(table.id, target.index, counted_by(rule), most_keys);
    out.push_back({std::move(rule), table.name, target.index_name.value_or(""), std::move(keys)});
  }
}

}  // namespace

kv::Result<void> append_contributors(store::Store& store, const KeyCounts& counts, codec::Timestamp now,
                                     std::vector<observe::ContributorRule>& out) {
  DINETTE_TRY(const auto tables, store.catalog().list("", std::numeric_limits<std::size_t>::max()));
  for (const store::TablePointer& one : tables) {
    const OpenTable table{one};
    if (!table.schema().has_insights() || state_at(table.record(), now).gone) continue;
    append_rules({table}, counts, out);
    for (const IndexSchema& index : table.schema().indexes()) {
      if (index.global()) append_rules({table, index.id, index.name}, counts, out);
    }
  }
  return {};
}

}  // namespace dinette::dynamodb
