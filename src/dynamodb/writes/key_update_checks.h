#pragma once

#include <span>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Refuses an update that writes one of these `attributes` if it is of the table's key.
Answer<void> check_leaves_key_alone(const TableSchema& schema, std::span<const std::string_view> attributes);

}  // namespace dinette::dynamodb
