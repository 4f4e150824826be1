#pragma once

#include <string_view>

#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore::sql {

/// Returns the type of a column as a statement writes it: `word`, in any case, and the length in its
/// parentheses, which may be empty (tablestore/sql.md section 2).
Answer<SqlType> column_type_of(std::string_view word, std::string_view length);

}  // namespace dinette::tablestore::sql
