#pragma once

#include "dinette/cql/definitions.h"

#include "keyspaces/api/auto_scaling_specification.h"
#include "keyspaces/api/get_keyspace.h"
#include "keyspaces/api/get_table.h"
#include "keyspaces/api/keyspace_summary.h"

/// Keyspaces and tables as the API describes them (docs/service-keyspaces/control-plane.md section 3).
namespace dinette::keyspaces {

api::KeyspaceSummary summary_of(const cql::KeyspaceDescription& keyspace);
api::GetKeyspaceOutput description_of(const cql::KeyspaceDescription& keyspace);
api::GetTableOutput description_of(const cql::TableDescription& table);

/// Returns nothing if the table does not scale.
std::optional<api::AutoScalingSpecification> scaling_of(const cql::TableDescription& table);

}  // namespace dinette::keyspaces
