#pragma once

#include <string>
#include <string_view>

#include "dynamodb/api/auto_scaling_settings_description.h"
#include "dynamodb/api/auto_scaling_settings_update.h"
#include "dynamodb/api/replica_auto_scaling_description.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/request/context.h"

/// Auto scaling of replicas: what is kept of it and shown. Nothing is scaled, but a minimum raises what is
/// less (docs/service/global-tables.md section 3).
namespace dinette::dynamodb {

/// What is scaled: the reads or the writes of a table, or of one of its indexes.
struct Scaled {
  std::string_view table;
  std::string_view index = {};  ///< empty: the table
  bool writes = false;

  /// Returns its name in the record of a table (ScalingDimension).
  std::string name() const;
  /// Returns the name of a policy that the request gives none.
  std::string policy_name() const;
};

/// Refuses provisioned tables and indexes whose writes are not scaled: they cannot have replicas.
Answer<void> check_write_capacity(const api::TableRecord& record, const api::TableSettings& settings);

/// Scales the writes of a table that becomes provisioned, and of its indexes: from the units asked for.
void scale_provisioned(api::TableRecord& record, const api::TableSettings& settings);

/// Scales the writes of a new index of a provisioned table.
void scale_new_index(api::TableRecord& record, std::string_view index);

/// Checks an update of one dimension.
Answer<void> check_scaling(const api::TableSettings& settings, const api::AutoScalingSettingsUpdate& update);
/// Carries out an update of one dimension.
void update_scaling(api::TableRecord& record, const Scaled& scaled,
                    const api::AutoScalingSettingsUpdate& update);

/// Describes the scaling of one replica.
api::ReplicaAutoScalingDescription describe_scaling(const api::TableRecord& record,
                                                    const api::TableSettings& settings,
                                                    api::ReplicaStatus status);

}  // namespace dinette::dynamodb
