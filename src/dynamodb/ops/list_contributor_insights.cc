#include "dynamodb/api/list_contributor_insights.h"

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/contributor_insights_summary.h"
#include "dynamodb/insights/contributor_insights.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/page_token.h"

namespace dinette::dynamodb::ops {
namespace {

constexpr std::string_view list_name = "ListContributorInsights";
constexpr std::size_t usual_page = 100;

/// All of a table that is not DISABLED, the table before its indexes.
void append_summaries(const Context& context, const OpenTable& table,
                      std::vector<api::ContributorInsightsSummary>& out) {
  const auto add = [&](store::IndexId index, std::optional<std::string> name) {
    const api::InsightsRecord* const insights = find_insights(table.record(), index);
    if (insights == nullptr) return;
    const auto status = insights_status(*insights, context.now);
    if (status == api::ContributorInsightsStatus::disabled) return;
    out.push_back({table.table->name, std::move(name), status, insights->mode});
  };
  add(0, std::nullopt);
  for (const IndexSchema& index : table.schema().indexes()) {
    if (index.global()) add(index.id, index.name);
  }
}

Answer<api::ListContributorInsightsOutput> list_of_table(const Context& context, std::string_view name) {
  DINETTE_TRY(const InsightsTarget target, open_insights(context, name, std::nullopt));
  std::vector<api::ContributorInsightsSummary> summaries;
  append_summaries(context, target.table, summaries);
  return api::ListContributorInsightsOutput{std::move(summaries), std::nullopt};
}

bool is_there(const OpenTable& table, codec::Timestamp now) {
  const TableState state = state_at(table.record(), now);
  return !state.gone && state.status != api::TableStatus::creating &&
         state.status != api::TableStatus::deleting;
}

}  // namespace

// A page has whole tables, so it may be longer than was asked for by the indexes of its last one.
Answer<api::ListContributorInsightsOutput> list_contributor_insights(
    const Context& context, api::ListContributorInsightsInput&& input) {
  if (input.table_name) return list_of_table(context, *input.table_name);
  DINETTE_TRY(const std::string after, position_after(list_name, input.next_token));
  const auto wanted = input.max_results.value_or(0);
  const std::size_t most = wanted > 0 ? static_cast<std::size_t>(wanted) : usual_page;
  DINETTE_STORED(const auto tables,
                 context.store.catalog().list(after, std::numeric_limits<std::size_t>::max()));
  api::ListContributorInsightsOutput output;
  auto& summaries = output.contributor_insights_summaries.emplace();
  std::string last;
  for (const store::TablePointer& one : tables) {
    const OpenTable table{one};
    if (!is_there(table, context.now)) continue;
    std::vector<api::ContributorInsightsSummary> more;
    append_summaries(context, table, more);
    if (more.empty()) continue;
    if (summaries.size() >= most) {
      output.next_token = page_token(list_name, last);
      break;
    }
    summaries.insert(summaries.end(), more.begin(), more.end());
    last = one->name;
  }
  return output;
}

}  // namespace dinette::dynamodb::ops
