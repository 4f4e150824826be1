#pragma once

#include <string_view>

#include "named_resource.h"

namespace dinette::definitions::cloudformation {

/// Adds a keyspace, a type or a table of Amazon Keyspaces, of the CloudFormation type `type`, or its errors.
void add_keyspaces_resource(std::string_view type, NamedResource resource, Definitions& to);

}  // namespace dinette::definitions::cloudformation
