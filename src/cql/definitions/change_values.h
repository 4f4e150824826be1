#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cql/data/cell.h"
#include "cql/schema/schema.h"

/// Values and cells as JSON of keyspacesstreams (docs/service-keyspaces/control-plane.md section 5).
namespace dinette::cql {

/// Appends a value: {"textT": "a"}, {"listT": [...]}.
void append_change_value(std::string& out, const Type& type, std::string_view value);

/// Appends values by the names of the columns, from the first one on.
void append_key_values(std::string& out, std::span<const schema::Column> columns,
                       std::span<const std::string_view> values);

/// Appends cells that can be seen by the names of their columns. Columns that were dropped are left out.
void append_change_cells(std::string& out, const schema::Table& table, const data::Cells& cells);

}  // namespace dinette::cql
