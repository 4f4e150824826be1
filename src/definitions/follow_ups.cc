#include "follow_ups.h"

#include <utility>

namespace dinette::definitions {

void enable_time_to_live(Node attribute, TableDefinition& table) {
  Node specification;
  specification.set("AttributeName", std::move(attribute));
  specification.set("Enabled", Node::boolean(true));
  Node input;
  input.set("TimeToLiveSpecification", std::move(specification));
  table.follow_ups.push_back({"UpdateTimeToLive", std::move(input)});
}

void enable_recovery(Node recovery_days, TableDefinition& table) {
  Node specification;
  specification.set("PointInTimeRecoveryEnabled", Node::boolean(true));
  if (!recovery_days.is_null()) specification.set("RecoveryPeriodInDays", std::move(recovery_days));
  Node input;
  input.set("PointInTimeRecoverySpecification", std::move(specification));
  table.follow_ups.push_back({"UpdateContinuousBackups", std::move(input)});
}

void enable_insights(std::string_view index, Node mode, TableDefinition& table) {
  Node input;
  if (!index.empty()) input.set("IndexName", Node::text(std::string(index)));
  input.set("ContributorInsightsAction", Node::text("ENABLE"));
  if (!mode.is_null()) input.set("ContributorInsightsMode", std::move(mode));
  table.follow_ups.push_back({"UpdateContributorInsights", std::move(input)});
}

void enable_kinesis(Node stream_arn, Node precision, TableDefinition& table) {
  Node input;
  input.set("StreamArn", std::move(stream_arn));
  if (!precision.is_null()) {
    Node settings;
    settings.set("ApproximateCreationDateTimePrecision", std::move(precision));
    input.set("EnableKinesisStreamingConfiguration", std::move(settings));
  }
  table.follow_ups.push_back({"EnableKinesisStreamingDestination", std::move(input)});
}

void warn_of_table(const TableDefinition& table, std::string_view what, Definitions& to) {
  to.warnings.push_back({table.place, "table \"" + table.name + "\": " + std::string(what)});
}

}  // namespace dinette::definitions
