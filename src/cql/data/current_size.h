#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dinette/cql/row_size.h"

#include "cql/data/record.h"
#include "cql/schema/schema.h"

/// The service's later formula for sizes of rows (docs/service-keyspaces/row-size.md section 4).
namespace dinette::cql::data {

/// Returns the size of a value, given as its bytes on the wire.
std::size_t current_value_size(const Type& type, std::string_view value);

/// Returns the size of a row; `partition` are the values of its partition key.
RowSize current_row_size(const schema::Table& table, std::span<const std::string_view> partition,
                         const Row& row);

}  // namespace dinette::cql::data
