#pragma once

#include <span>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Refuses an expression with a path into a key attribute of the table or of one of its indexes: keys are
/// scalars. `reached_into` are the attributes that its paths go into (docs/service/expressions.md section 2).
Answer<void> check_key_paths(const TableSchema& schema, std::span<const std::string_view> reached_into);

}  // namespace dinette::dynamodb
