#pragma once

#include "dynamodb/api/create_table.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Creates a table as a replica of one in another region, which the request names by its ARN
/// (GlobalTableSourceArn). Returns the table, which is CREATING.
Answer<store::TablePointer> join_group(const Context& context, const api::CreateTableInput& input);

}  // namespace dinette::dynamodb
