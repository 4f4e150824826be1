#pragma once

#include "tablestore/request/context.h"
#include "tablestore/sql/result.h"
#include "tablestore/sql/statement.h"
#include "tablestore/tables/open_table.h"

/// Tables that SQL sees: those with a mapping (tablestore/sql.md section 2).
namespace dinette::tablestore::sql {

Answer<void> create(const Context& context, const CreateMapping& statement);
Answer<void> drop(const Context& context, const DropMapping& statement);
Answer<void> alter(const Context& context, const AlterMapping& statement);

/// Opens a table that has a mapping.
Answer<OpenTable> open_mapped(const Context& context, std::string_view name);

Answer<Result> show_tables(const Context& context);
Answer<Result> describe(const Context& context, const Describe& statement);

}  // namespace dinette::tablestore::sql
