#include "dynamodb/insights/contributor_insights.h"

#include <algorithm>
#include <utility>

#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::ContributorInsightsAction;
using api::ContributorInsightsMode;
using api::ContributorInsightsStatus;
using api::InsightsRecord;

constexpr std::size_t shortest_index_name = 3;
constexpr std::size_t longest_index_name = 255;

const IndexSchema* global_index(const TableSchema& schema, std::string_view name) {
  const IndexSchema* const index = schema.find_index(name);
  return index && index->global() ? index : nullptr;
}

base::Failure<ApiError> insights_index_not_found(std::string_view index, std::string_view table) {
  return base::Failure{ApiError{api::ErrorCode::resource_not_found_exception,
                                "Requested resource not found: Index: " + std::string(index) +
                                    " not found for table: " + std::string(table)}};
}

/// Only an index may not be ACTIVE: a table that is being made or deleted is not found.
Answer<void> check_insights_state(const api::TableSettings& settings, store::IndexId index) {
  const auto& indexes = settings.global_secondary_indexes;
  const auto found = std::ranges::find_if(
      indexes, [&](const auto& one) { return static_cast<store::IndexId>(one.id) == index; });
  const bool active = found != indexes.end() && !found->building && found->status == api::IndexStatus::active;
  if (index == 0 || active) return {};
  return validation(
      "Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to "
      "enable ContributorInsights.");
}

/// Returns the entry of a table or index, which is added if there is none.
InsightsRecord& insights_to_change(api::TableRecord& record, store::IndexId index) {
  if (!record.contributor_insights) record.contributor_insights.emplace();
  std::vector<InsightsRecord>& all = *record.contributor_insights;
  const auto id = static_cast<std::int32_t>(index);
  const auto found = std::ranges::find(all, id, &InsightsRecord::index_id);
  if (found != all.end()) return *found;
  all.emplace_back().index_id = id;
  return all.back();
}

/// Returns false if it changes nothing.
bool apply_insights_change(InsightsChange change, codec::Timestamp now, codec::Timestamp until,
                           InsightsRecord& insights) {
  const bool enables = change.action == ContributorInsightsAction::enable;
  if (insights.enabled == enables && (!enables || insights.mode == change.mode)) return false;
  if (enables) {
    // A change of the mode alone keeps the names of rules.
    if (!insights.enabled) insights.rule_number = now.milliseconds;
    insights.mode = change.mode;
  }
  insights.enabled = enables;
  insights.begun = now;
  insights.until = until;
  return true;
}

}  // namespace

Answer<InsightsTarget> open_insights(const Context& context, std::string_view table,
                                     const std::optional<std::string>& index) {
  if (index && (index->size() < shortest_index_name || index->size() > longest_index_name))
    return validation("IndexName must be at least 3 characters long and at most 255 characters long");
  DINETTE_TRY(OpenTable open, open_created(context, table));
  if (state_at(open.record(), context.now).status == api::TableStatus::deleting)
    return table_not_found(open.table->name);
  if (!index) return InsightsTarget{std::move(open)};
  const IndexSchema* const found = global_index(open.schema(), *index);
  if (found == nullptr) return insights_index_not_found(*index, open.table->name);
  const store::IndexId id = found->id;
  return InsightsTarget{std::move(open), id, index};
}

const InsightsRecord* find_insights(const api::TableRecord& record, store::IndexId index) {
  if (!record.contributor_insights) return nullptr;
  const auto found = std::ranges::find(*record.contributor_insights, static_cast<std::int32_t>(index),
                                       &InsightsRecord::index_id);
  return found == record.contributor_insights->end() ? nullptr : &*found;
}

ContributorInsightsStatus insights_status(const InsightsRecord& insights, codec::Timestamp now) {
  const bool passing = is_during(now, insights.begun, insights.until);
  if (insights.enabled)
    return passing ? ContributorInsightsStatus::enabling : ContributorInsightsStatus::enabled;
  return passing ? ContributorInsightsStatus::disabling : ContributorInsightsStatus::disabled;
}

std::vector<std::string> insights_rules(const InsightsRecord& insights, const InsightsTarget& target) {
  const TableSchema& schema = target.table.schema();
  const IndexSchema* const index = target.index_name ? schema.find_index(*target.index_name) : nullptr;
  const bool has_sort_key = index ? !index->keys.back().hash : schema.range_key().has_value();
  const std::string end = "-" + target.table.table->name + (index ? "-" + index->name : "") + "-" +
                          std::to_string(insights.rule_number);
  std::vector<std::string> rules;
  for (const std::string_view kind : {"C", "T"}) {
    if (kind == "C" && insights.mode == ContributorInsightsMode::throttled_keys) continue;
    for (const std::string_view key : {"PK", "SK"}) {
      if (key == "PK" || has_sort_key)
        rules.push_back("DynamoDBContributorInsights-" + std::string(key) + std::string(kind) + end);
    }
  }
  return rules;
}

Answer<InsightsOutcome> change_insights(const Context& context, const InsightsTarget& target,
                                        InsightsChange change) {
  const codec::Timestamp now = context.now;
  const codec::Timestamp until = now + context.settings.state_delay;
  Answer<void> refusal;
  InsightsOutcome outcome;
  const auto decide = [&](const store::Table& current) -> std::optional<std::string> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    refusal = check_insights_state(state_at(record, now).settings, target.index);
    if (!refusal) return std::nullopt;
    outcome = {};
    const bool never = find_insights(record, target.index) == nullptr;
    if (never && change.action == ContributorInsightsAction::disable) return std::nullopt;
    InsightsRecord& insights = insights_to_change(record, target.index);
    outcome.changed = apply_insights_change(change, now, until, insights);
    outcome.insights = insights;
    return outcome.changed ? std::optional(encode_record(record)) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated,
                 context.store.catalog().update(*target.table.table, decide));
  if (!updated) return table_not_found(target.table.table->name);
  if (!refusal) return base::Failure{std::move(refusal).error()};
  return outcome;
}

}  // namespace dinette::dynamodb
