#pragma once

#include <cstddef>
#include <span>

#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

/// Checks of primary keys, in two steps: what no table has, and what this one has not (tablestore/rows.md
/// section 1).
namespace dinette::tablestore {

enum class KeyUse { write, removal, read, bound };

/// Checks what needs no table: the number of columns, from 1 to `most`, the types and lengths of values.
Answer<void> check_key(const PrimaryKey& key, KeyUse use, std::size_t most);

/// Checks that a key has the columns of a table or an index, in their order and with their types.
Answer<void> check_key_fits(const PrimaryKey& key, std::span<const KeyColumnMeta> columns);

}  // namespace dinette::tablestore
