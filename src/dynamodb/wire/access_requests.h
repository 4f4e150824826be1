#pragma once

#include <string_view>
#include <vector>

#include "dinette/aws/json.h"

#include "dynamodb/request/context.h"
#include "dynamodb/tables/resource_access.h"

namespace dinette::dynamodb::wire {

/// Returns what a request asks policies for, in the order of the request: one action on one resource for most
/// operations, one per table of a batch, one per action of a transaction. None for PartiQL, whose statements
/// ask for themselves (partiql/statement_access.h). `members`: of the request; they may be malformed.
///
/// The keys of conditions are those that AWS documents for DynamoDB (DynamoDB Developer Guide, "Specifying
/// conditions: using condition keys"): LeadingKeys, Attributes, Select, ReturnValues, ReturnConsumedCapacity,
/// EnclosingOperation.
Answer<std::vector<ResourceAccess>> access_requests(const Context& context, std::string_view operation,
                                                    aws::JsonObject members);

}  // namespace dinette::dynamodb::wire
