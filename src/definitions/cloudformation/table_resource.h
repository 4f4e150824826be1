#pragma once

#include "named_resource.h"

namespace dinette::definitions::cloudformation {

/// Adds a table with the properties of AWS::DynamoDB::Table, or its errors.
void add_table_resource(NamedResource table, Definitions& to);

}  // namespace dinette::definitions::cloudformation
