#include "dynamodb/api/describe_contributor_insights.h"

#include "dynamodb/insights/contributor_insights.h"

namespace dinette::dynamodb::ops {

Answer<api::DescribeContributorInsightsOutput> describe_contributor_insights(
    const Context& context, api::DescribeContributorInsightsInput&& input) {
  using Status = api::ContributorInsightsStatus;
  DINETTE_TRY(const InsightsTarget target, open_insights(context, input.table_name, input.index_name));
  api::DescribeContributorInsightsOutput output;
  output.table_name = target.table.table->name;
  output.index_name = target.index_name;
  output.contributor_insights_status = Status::disabled;
  const api::InsightsRecord* const insights = find_insights(target.table.record(), target.index);
  if (insights == nullptr) return output;
  const Status status = insights_status(*insights, context.now);
  output.contributor_insights_status = status;
  output.last_update_date_time = insights->begun;
  output.contributor_insights_mode = insights->mode;
  if (insights->enabled) output.contributor_insights_rule_list = insights_rules(*insights, target);
  return output;
}

}  // namespace dinette::dynamodb::ops
