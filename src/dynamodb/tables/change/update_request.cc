#include "dynamodb/tables/change/update_request.h"

#include <algorithm>
#include <set>
#include <string>

#include "dynamodb/api/global_secondary_index_update.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb {
namespace {

bool sets_ceilings(const api::UpdateTableInput& input) {
  return unless_empty(input.on_demand_throughput).has_value();
}

bool warms(const api::UpdateTableInput& input) {
  return !is_empty(input.warm_throughput);
}

/// Changes that are of different kinds.
int count_changes(const api::UpdateTableInput& input) {
  const bool kinds[] = {input.billing_mode.has_value(),
                        input.provisioned_throughput.has_value(),
                        updates_indexes(input),
                        input.sse_specification.has_value(),
                        input.stream_specification.has_value(),
                        input.table_class.has_value(),
                        input.deletion_protection_enabled.has_value(),
                        sets_ceilings(input),
                        warms(input)};
  return static_cast<int>(std::ranges::count(kinds, true));
}

/// Returns true for members that are not served. MultiRegionConsistency alone requests nothing.
bool asks_what_is_not_served(const api::UpdateTableInput& input) {
  const auto asks = [](std::string_view member) { return member != "MultiRegionConsistency"; };
  return std::ranges::any_of(planned_members_of(input), asks);
}

Answer<void> check_asks_something(const api::UpdateTableInput& input) {
  if (count_changes(input) > 0 || asks_what_is_not_served(input)) return {};
  if (input.on_demand_throughput || input.warm_throughput)
    return base::Failure{ApiError{api::ErrorCode::internal_failure, ""}};  // the service's own stumble
  // A member that is there, though it asks for nothing by itself, is not on the list.
  return validation(
      std::string("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                  "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
                  "ReplicaTransitRoleArn, ") +
      (input.multi_region_consistency ? "" : "MultiRegionConsistency, ") +
      "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required");
}

bool creates_index(const api::UpdateTableInput& input) {
  return updates_indexes(input) &&
         std::ranges::any_of(*input.global_secondary_index_updates,
                             [](const auto& update) { return update.create.has_value(); });
}

/// Checks that there is only one kind of change. If several messages apply, the first one is returned.
Answer<void> check_one_kind(const api::UpdateTableInput& input) {
  const int changes = count_changes(input);
  if (changes < 2) return {};
  const std::string only = " modification must be the only operation in the request";
  if (input.sse_specification) return invalid("Server-Side Encryption" + only);
  if (input.table_class) return invalid("TableClass" + only);
  if (input.deletion_protection_enabled) return invalid("DeletionProtection" + only);
  if (warms(input)) {
    return invalid(creates_index(input)
                       ? "Create global secondary index cannot be specified when updating WarmThroughput"
                       : "WarmThroughput must be the only operation in the request");
  }
  // The throughput that a billing mode needs goes with it: the service then looks at the mode first.
  const int with_ceilings = !input.billing_mode ? 1 : input.provisioned_throughput ? 3 : 2;
  if (sets_ceilings(input) && changes > with_ceilings)
    return invalid("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  const bool changes_iops =
      input.provisioned_throughput || input.billing_mode == api::BillingMode::provisioned;
  if (input.stream_specification && changes_iops)
    return invalid("You cannot modify stream status while updating table IOPS");
  if (input.stream_specification && creates_or_deletes_indexes(input))
    return invalid("You cannot create or delete index while changing stream status");
  if (input.provisioned_throughput && creates_or_deletes_indexes(input))
    return invalid("You cannot create or delete index while updating table IOPS");
  return {};
}

int count_actions(const api::GlobalSecondaryIndexUpdate& update) {
  return (update.create ? 1 : 0) + (update.delete_ ? 1 : 0) + (update.update ? 1 : 0);
}

Answer<void> check_index_updates(const api::UpdateTableInput& input) {
  if (!input.global_secondary_index_updates) return {};
  if (!updates_indexes(input)) return invalid("List of GlobalSecondaryIndexUpdates is empty");
  std::set<std::string_view> names;
  for (const auto& update : *input.global_secondary_index_updates) {
    const int actions = count_actions(update);
    if (actions == 0) {
      return invalid(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (actions > 1) {
      return invalid(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
    }
    if (names.insert(index_name(update)).second) continue;
    return invalid("Only one global secondary index update per index is allowed simultaneously. Index: " +
                   index_name(update));
  }
  return {};
}

/// The table's stream is not checked yet (docs/service/streams.md section 1).
Answer<void> check_stream_change(const std::optional<api::StreamSpecification>& stream) {
  if (!stream) return {};
  if (stream->stream_enabled && !stream->stream_view_type)
    return invalid("If stream is being enabled then UpdateViewType is required");
  if (!stream->stream_enabled && stream->stream_view_type)
    return invalid("If stream is being disabled, then UpdateViewType must not be specified");
  return {};
}

}  // namespace

Answer<void> check_update_request(const api::UpdateTableInput& input) {
  DINETTE_CHECK(check_asks_something(input));
  DINETTE_CHECK(check_served(planned_members_of(input)));
  DINETTE_CHECK(check_one_kind(input));
  DINETTE_CHECK(check_stream_change(input.stream_specification));
  return check_index_updates(input);
}

bool changes_throughput(const api::UpdateTableInput& input) {
  return input.billing_mode || input.provisioned_throughput;
}

bool updates_indexes(const api::UpdateTableInput& input) {
  return input.global_secondary_index_updates && !input.global_secondary_index_updates->empty();
}

bool creates_or_deletes(const api::GlobalSecondaryIndexUpdate& update) {
  return update.create || update.delete_;
}

bool creates_or_deletes_indexes(const api::UpdateTableInput& input) {
  return updates_indexes(input) &&
         std::ranges::any_of(*input.global_secondary_index_updates, creates_or_deletes);
}

const std::string& index_name(const api::GlobalSecondaryIndexUpdate& update) {
  if (update.create) return update.create->index_name;
  return update.delete_ ? update.delete_->index_name : update.update->index_name;
}

bool makes_table_updating(const api::UpdateTableInput& input) {
  return changes_throughput(input) || input.table_class || input.on_demand_throughput ||
         creates_or_deletes_indexes(input) || input.stream_specification;
}

bool takes_time(const api::UpdateTableInput& input) {
  return makes_table_updating(input) || updates_indexes(input) || input.sse_specification ||
         input.warm_throughput;
}

}  // namespace dinette::dynamodb
