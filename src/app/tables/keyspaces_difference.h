#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/table_difference.h"
#include "app/tables/update_plan.h"

namespace dinette::app {

/// What leads from a keyspace, a type or a table to its definition.
struct KeyspacesChange {
  std::vector<Difference> differences;
  /// Calls, in the order in which they must be made, each when the resource is active again. They change all
  /// that does not need a new table; of a type nothing can be changed.
  std::vector<PlannedCall> plan;
};

/// Compares a definition with what the server has: the output of GetKeyspace, GetType or GetTable, with what
/// complete_description() adds. Settings that the definition does not have are not compared.
KeyspacesChange compare_keyspaces(const definitions::KeyspacesResource& wanted, const definitions::Node& is);

}  // namespace dinette::app
