#pragma once

#include <string_view>

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"

/// The names of indexes, which are unique among those of tables (FORMAT.md).
namespace dinette::tablestore {

/// Fails if one of the indexes of a new table has the name of something that there is.
Answer<void> check_names_free(const Context& context, const TableMeta& table);

/// Makes the names of the indexes of a table that has just been created.
Answer<void> create_names(const Context& context, const TableMeta& table);

/// Drops the name of an index of that table. Nothing happens if it is none.
Answer<void> drop_name(const Context& context, std::string_view index, std::string_view main_table);

}  // namespace dinette::tablestore
