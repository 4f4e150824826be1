#pragma once

#include <string_view>

#include "named_resource.h"

namespace dinette::definitions::cloudformation {

/// Gives a table the properties of AWS::DynamoDB::Table instead of those of AWS::DynamoDB::GlobalTable: of
/// the replica in `region`, else of the first. Warns of what is dropped.
/// Returns false if it has no replicas, with an error.
bool convert_global_table(NamedResource& table, std::string_view region, Definitions& to);

}  // namespace dinette::definitions::cloudformation
