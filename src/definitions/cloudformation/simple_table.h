#pragma once

#include "named_resource.h"

namespace dinette::definitions::cloudformation {

/// Gives a table the properties of AWS::DynamoDB::Table instead of those of AWS::Serverless::SimpleTable.
/// `globals`, which may be null: Globals.SimpleTable of the template, evaluated.
/// Returns false if its key is wrong, with an error.
bool convert_simple_table(NamedResource& table, const Node* globals, Definitions& to);

}  // namespace dinette::definitions::cloudformation
