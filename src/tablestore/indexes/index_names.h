#pragma once

#include <string_view>

#include "dinette/store/store.h"

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"

/// The names of indexes, which are unique among those of tables (FORMAT.md). A name is made only while its
/// table has the index. It is dropped after the index or the table, so that one may be left over.
namespace dinette::tablestore {

/// Returns true if a table is the name of an index that its table does not have, or of a table that is gone.
kv::Result<bool> is_left_over(store::Store& store, const store::Table& name);

/// Drops the name of an index if it is left over.
kv::Result<void> drop_left_over_name(store::Store& store, std::string_view index);

/// Fails if the name of a new index is that of something that there is.
Answer<void> check_index_name_free(const Context& context, std::string_view index);

/// Makes the names of the indexes of a table that do not have theirs: of a new table all, or after a start
/// those that the end of the process has prevented. Returns false if one is taken.
kv::Result<bool> make_names(store::Store& store, const store::Table& table);

}  // namespace dinette::tablestore
