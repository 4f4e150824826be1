#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/request/access.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {

/// What policies look at of a request for a table or something that belongs to one: resource, owner and
/// policy. The action is for the caller to add.
struct ResourceAccess {
  AccessRequest request = {};
  OpenTable table = {};  ///< keeps the policy; none if there is no such table
};

/// The table, by name or ARN, or one of its indexes.
Answer<ResourceAccess> resource_access(const Context& context, std::string_view name_or_arn,
                                       const std::optional<std::string>& index = {});

/// Anything that an ARN names: a table, or what belongs to it. The policy is that of the table or its stream.
Answer<ResourceAccess> arn_access(const Context& context, std::string_view arn);

}  // namespace dinette::dynamodb
