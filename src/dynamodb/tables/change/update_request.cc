#include "dynamodb/tables/change/update_request.h"

#include <algorithm>
#include <set>
#include <string>

#include "dynamodb/api/global_secondary_index_update.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/api/vector_index_update.h"
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
                        updates_global_indexes(input),
                        updates_vector_indexes(input),
                        input.sse_specification.has_value(),
                        input.stream_specification.has_value(),
                        input.table_class.has_value(),
                        input.deletion_protection_enabled.has_value(),
                        sets_ceilings(input),
                        input.replica_updates.has_value(),
                        input.global_table_settings_replication_mode.has_value(),
                        input.disassociation_protection_enabled.has_value(),
                        warms(input)};
  return static_cast<int>(std::ranges::count(kinds, true));
}

Answer<void> check_asks_something(const api::UpdateTableInput& input) {
  if (count_changes(input) > 0) return {};
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

bool creates_global_index(const api::UpdateTableInput& input) {
  return updates_global_indexes(input) &&
         std::ranges::any_of(*input.global_secondary_index_updates,
                             [](const auto& update) { return update.create.has_value(); });
}

/// Checks that there is only one kind of change. If several messages apply, the first one is returned.
Answer<void> check_one_kind(const api::UpdateTableInput& input) {
  if (updates_vector_indexes(input) && input.billing_mode == api::BillingMode::provisioned)
    return invalid("Tables with vector indexes must be in PAY_PER_REQUEST mode");
  const int changes = count_changes(input);
  if (input.global_table_witness_updates && !input.replica_updates && changes > 0)
    return invalid("Requests that modify replicas or witnesses must not also modify other fields");
  if (changes < 2) return {};
  const std::string only = " modification must be the only operation in the request";
  if (input.sse_specification) return invalid("Server-Side Encryption" + only);
  if (input.table_class) return invalid("TableClass" + only);
  if (input.deletion_protection_enabled) return invalid("DeletionProtection" + only);
  if (warms(input)) {
    return invalid(creates_global_index(input)
                       ? "Create global secondary index cannot be specified when updating WarmThroughput"
                       : "WarmThroughput must be the only operation in the request");
  }
  if (input.replica_updates) return invalid("Replica modification must be the only operation in the request");
  // The words for these two are not known (docs/service/global-tables.md section 1).
  if (input.disassociation_protection_enabled) return invalid("DisassociationProtection" + only);
  if (input.global_table_settings_replication_mode)
    return invalid("GlobalTableSettingsReplicationMode" + only);
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

/// Returns the name of the updated index; each update is for one index.
const std::string& index_name(const api::GlobalSecondaryIndexUpdate& update) {
  if (update.create) return update.create->index_name;
  return update.delete_ ? update.delete_->index_name : update.update->index_name;
}

int count_actions(const api::GlobalSecondaryIndexUpdate& update) {
  return (update.create ? 1 : 0) + (update.delete_ ? 1 : 0) + (update.update ? 1 : 0);
}

Answer<void> check_vector_index_updates(const api::UpdateTableInput& input) {
  if (!input.vector_index_updates) return {};
  for (const api::VectorIndexUpdate& update : *input.vector_index_updates) {
    if (update.create && update.delete_)
      return invalid("Only one vector index action is allowed per VectorIndexUpdate object");
    if (!update.create && !update.delete_)
      return invalid("One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null");
  }
  return {};
}

Answer<void> check_global_index_updates(const api::UpdateTableInput& input) {
  if (!input.global_secondary_index_updates) return {};
  if (!updates_global_indexes(input)) return invalid("List of GlobalSecondaryIndexUpdates is empty");
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
    const std::string& name = index_name(update);
    if (names.insert(name).second) continue;
    return invalid("Only one global secondary index update per index is allowed simultaneously. Index: " +
                   name);
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
  DINETTE_CHECK(check_one_kind(input));
  DINETTE_CHECK(check_stream_change(input.stream_specification));
  DINETTE_CHECK(check_global_index_updates(input));
  return check_vector_index_updates(input);
}

bool changes_throughput(const api::UpdateTableInput& input) {
  return input.billing_mode || input.provisioned_throughput;
}

bool updates_global_indexes(const api::UpdateTableInput& input) {
  return input.global_secondary_index_updates && !input.global_secondary_index_updates->empty();
}

bool updates_vector_indexes(const api::UpdateTableInput& input) {
  return input.vector_index_updates && !input.vector_index_updates->empty();
}

bool updates_indexes(const api::UpdateTableInput& input) {
  return updates_global_indexes(input) || updates_vector_indexes(input);
}

std::vector<IndexAction> index_actions(const api::UpdateTableInput& input) {
  using Kind = IndexAction::Kind;
  std::vector<IndexAction> actions;
  const auto add = [&](const auto& action, Kind kind, bool vector) {
    if (action) actions.push_back({action->index_name, kind, vector});
  };
  if (input.global_secondary_index_updates) {
    for (const auto& update : *input.global_secondary_index_updates) {
      add(update.create, Kind::create, false);
      add(update.update, Kind::change, false);
      add(update.delete_, Kind::remove, false);
    }
  }
  if (!input.vector_index_updates) return actions;
  for (const auto& update : *input.vector_index_updates) {
    add(update.create, Kind::create, true);
    add(update.delete_, Kind::remove, true);
  }
  return actions;
}

bool creates_or_deletes_indexes(const api::UpdateTableInput& input) {
  return std::ranges::any_of(index_actions(input), [](const IndexAction& action) {
    return action.kind != IndexAction::Kind::change;
  });
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
