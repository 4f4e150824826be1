#pragma once

#include <optional>

#include "dinette/definitions/definitions.h"

#include "resource.h"

namespace dinette::definitions {

/// Returns the table that an `aws_dynamodb_table` is. `name`, if not empty, is its name instead of the
/// resource's. What is left out of it is among the warnings; nothing, and an error: it has no name.
std::optional<TableDefinition> table_of_resource(const Resource& resource, std::string_view name,
                                                 Definitions& to);

/// Adds the index that an `aws_dynamodb_global_secondary_index` is to its table.
void add_index_resource(const Node& values, TableDefinition& table);

}  // namespace dinette::definitions
