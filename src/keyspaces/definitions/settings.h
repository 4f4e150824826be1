#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keyspaces/api/auto_scaling_specification.h"
#include "keyspaces/api/capacity_specification.h"
#include "keyspaces/api/cdc_specification.h"
#include "keyspaces/api/client_side_timestamps.h"
#include "keyspaces/api/column_definition.h"
#include "keyspaces/api/encryption_specification.h"
#include "keyspaces/api/point_in_time_recovery.h"
#include "keyspaces/api/replica_specification.h"
#include "keyspaces/api/replication_specification.h"
#include "keyspaces/api/tag.h"
#include "keyspaces/api/time_to_live.h"
#include "keyspaces/api/warm_throughput_specification.h"
#include "keyspaces/definitions/cql_text.h"
#include "keyspaces/request/api_error.h"
#include "keyspaces/request/context.h"

/// Settings of keyspaces and tables as CQL (docs/service-keyspaces/control-plane.md sections 2 and 3).
namespace dinette::keyspaces {

/// What a request sets of a table. Members of an input, which must outlive it.
struct TableSettings {
  const std::optional<api::CapacitySpecification>* capacity = nullptr;
  const std::optional<api::EncryptionSpecification>* encryption = nullptr;
  const std::optional<api::PointInTimeRecovery>* recovery = nullptr;
  const std::optional<api::TimeToLive>* time_to_live = nullptr;
  const std::optional<std::int32_t>* default_time_to_live = nullptr;
  const std::optional<api::ClientSideTimestamps>* timestamps = nullptr;
  const std::optional<api::AutoScalingSpecification>* scaling = nullptr;
  const std::optional<std::vector<api::ReplicaSpecification>>* replicas = nullptr;
  const std::optional<api::CdcSpecification>* cdc = nullptr;
  const std::optional<api::WarmThroughputSpecification>* warm_throughput = nullptr;
};

/// Returns those of CreateTable and UpdateTable.
template <class Input>
TableSettings settings_of(const Input& input) {
  return {.capacity = &input.capacity_specification,
          .encryption = &input.encryption_specification,
          .recovery = &input.point_in_time_recovery,
          .time_to_live = &input.ttl,
          .default_time_to_live = &input.default_time_to_live,
          .timestamps = &input.client_side_timestamps,
          .scaling = &input.auto_scaling_specification,
          .replicas = &input.replica_specifications,
          .cdc = &input.cdc_specification,
          .warm_throughput = &input.warm_throughput_specification};
}

/// Returns how many settings a request has.
std::size_t count_of(const TableSettings& settings);

/// Adds the settings to what follows WITH.
void add_settings(const TableSettings& settings, CqlProperties& properties);

/// Returns tags as a map.
CqlMap map_of(const std::vector<api::Tag>& tags);

/// Returns the property `replication`. Fails if there are regions where there may be none, or none where
/// there must be.
Answer<std::string> replication_of(const Context& context, const api::ReplicationSpecification& given);

/// Returns `"name" type`. Fails if the type is none.
Answer<std::string> column_of(std::string_view name, std::string_view type);

}  // namespace dinette::keyspaces
