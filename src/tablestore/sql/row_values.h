#pragma once

#include <optional>
#include <string_view>

#include "tablestore/model/table_meta.h"
#include "tablestore/model/value.h"
#include "tablestore/request/api_error.h"
#include "tablestore/sql/expression.h"

/// Values of statements as cells of rows.
namespace dinette::tablestore::sql {

/// Returns the value of an expression without columns and queries, which is held until the statement ends.
Answer<SqlValue> constant(const Expression& expression, const Environment& environment);

/// Returns a value as the type of its column stores it; nothing for NULL, which a column that is NOT NULL
/// refuses. The text is a view of `value`.
Answer<std::optional<Value>> stored_value(const SqlColumn& column, const SqlValue& value);

/// The same of a column of the key, which has a value.
Answer<Value> key_value(const SqlColumn& column, const SqlValue& value);

/// Returns the column of that name, in any case, of a mapping, or fails.
Answer<const SqlColumn*> column_of(const TableMeta& table, std::string_view name);

}  // namespace dinette::tablestore::sql
