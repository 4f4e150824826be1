#pragma once

#include "tablestore/api/messages.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

// tablestore/indexes.md sections 1 to 3; tablestore/names-limits.md section 2
namespace dinette::tablestore {

/// Adds an index to a table, or returns why it may not be. Its id is the table's next one.
Answer<void> add_index(const api::IndexMeta& given, TableMeta& table);

/// Fails if a table with indexes has options that indexes do not allow.
Answer<void> check_index_options(const TableMeta& table);

}  // namespace dinette::tablestore
