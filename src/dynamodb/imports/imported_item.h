#pragma once

#include <memory>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/actions/put_action.h"

namespace dinette::dynamodb {

/// Returns the put of an item whose attributes are given as DynamoDB JSON, or why the table may not have such
/// an item: what PutItem would say.
Answer<std::unique_ptr<PutAction>> put_of(const TableSchema& schema, std::string_view attributes,
                                          ActionCondition condition = {});

}  // namespace dinette::dynamodb
