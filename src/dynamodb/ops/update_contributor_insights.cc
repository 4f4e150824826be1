#include "dynamodb/api/update_contributor_insights.h"

#include "dynamodb/insights/contributor_insights.h"

namespace dinette::dynamodb::ops {
namespace {

using api::ContributorInsightsMode;
using api::ContributorInsightsStatus;

/// A change is answered with its beginning, even if it takes no time; what changes nothing, with the status
/// that there is.
ContributorInsightsStatus answered_status(const InsightsOutcome& outcome, codec::Timestamp now) {
  if (!outcome.insights) return ContributorInsightsStatus::disabled;
  if (!outcome.changed) return insights_status(*outcome.insights, now);
  return outcome.insights->enabled ? ContributorInsightsStatus::enabling
                                   : ContributorInsightsStatus::disabling;
}

}  // namespace

Answer<api::UpdateContributorInsightsOutput> update_contributor_insights(
    const Context& context, api::UpdateContributorInsightsInput&& input) {
  DINETTE_TRY(const InsightsTarget target, open_insights(context, input.table_name, input.index_name));
  const auto mode =
      input.contributor_insights_mode.value_or(ContributorInsightsMode::accessed_and_throttled_keys);
  DINETTE_TRY(const InsightsOutcome outcome,
              change_insights(context, target, {input.contributor_insights_action, mode}));
  return api::UpdateContributorInsightsOutput{target.table.table->name, target.index_name,
                                              answered_status(outcome, context.now),
                                              outcome.insights ? outcome.insights->mode : mode};
}

}  // namespace dinette::dynamodb::ops
