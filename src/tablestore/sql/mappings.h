#pragma once

#include <string_view>
#include <vector>

#include "tablestore/request/context.h"
#include "tablestore/sql/result.h"
#include "tablestore/sql/statement.h"
#include "tablestore/tables/open_table.h"

/// Tables that SQL sees: those with a mapping, and mappings of indexes (tablestore/sql.md section 2).
namespace dinette::tablestore::sql {

Answer<void> create(const Context& context, const CreateMapping& statement);
Answer<void> drop(const Context& context, const DropMapping& statement);
Answer<void> alter(const Context& context, const AlterMapping& statement);

/// A table, as it is mapped or by one of its indexes.
struct MappedTable {
  OpenTable table;
  const SqlMapping* mapping = nullptr;  ///< of the table; null: it is that of its rows

  const std::vector<SqlColumn>& columns() const {
    return mapping != nullptr ? mapping->columns : table.meta().sql_columns;
  }
};

/// Opens a table that has a mapping, for statements that write.
Answer<OpenTable> open_mapped(const Context& context, std::string_view name);
/// The same, or what a mapping of an index is of.
Answer<MappedTable> open_mapping(const Context& context, std::string_view name);

Answer<Result> show_tables(const Context& context);
Answer<Result> show_index(const Context& context, const ShowIndex& statement);
Answer<Result> describe(const Context& context, const Describe& statement);

}  // namespace dinette::tablestore::sql
