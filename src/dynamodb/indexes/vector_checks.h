#pragma once

#include <string_view>

#include "dinette/base/function_ref.h"

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Refuses a write of an item whose attributes an index of vectors cannot take: its vector, or an attribute
/// of its search schema. An item without them passes. Only attributes for which `is_written` returns true are
/// looked at: an item may be older than the index (docs/service/vector-search.md, "Writes to a vector-indexed
/// table").
Answer<void> check_vectors(const TableSchema& schema, const model::Item& item,
                           base::FunctionRef<bool(std::string_view)> is_written);

}  // namespace dinette::dynamodb
