#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/insights_record.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// Contributor insights of tables and their global indexes, as the records of tables have them
/// (docs/service/insights-policies-account.md section 1).
namespace dinette::dynamodb {

/// A table, or one of its global indexes.
struct InsightsTarget {
  OpenTable table;
  store::IndexId index = 0;  ///< 0 for the table
  std::optional<std::string> index_name = {};
};

/// Finds what a request names, by the name or the ARN of its table.
Answer<InsightsTarget> open_insights(const Context& context, std::string_view table,
                                     const std::optional<std::string>& index);

/// Returns null if they were never enabled.
const api::InsightsRecord* find_insights(const api::TableRecord& record, store::IndexId index);

api::ContributorInsightsStatus insights_status(const api::InsightsRecord& insights, codec::Timestamp now);

/// Returns the names of the rules: of the partition key, and of both keys if there are two; of what is
/// accessed, and of what is throttled.
std::vector<std::string> insights_rules(const api::InsightsRecord& insights, const InsightsTarget& target);

struct InsightsChange {
  api::ContributorInsightsAction action{};
  api::ContributorInsightsMode mode{};
};

/// What is recorded after a change.
struct InsightsOutcome {
  std::optional<api::InsightsRecord> insights = {};  ///< none if they were never enabled, and are not now
  bool changed = false;                              ///< false if they were so before
};

Answer<InsightsOutcome> change_insights(const Context& context, const InsightsTarget& target,
                                        InsightsChange change);

}  // namespace dinette::dynamodb
