#pragma once

#include <string_view>

#include "dinette/base/function_ref.h"
#include "dinette/store/catalog.h"

#include "tablestore/request/context.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {

/// A table that was found, or the name of an index (TableSchema::is_index). Holds on to one version of it.
struct OpenTable {
  store::TablePointer table;

  const TableSchema& schema() const { return table->schema_as<TableSchema>(); }
  const TableMeta& meta() const { return schema().meta(); }
};

/// Opens a table for an operation on tables, which answers OTSObjectNotExist if it is missing
/// (tablestore/tables.md section 4). Fails first if the name is none that tables have
/// (tablestore/names-limits.md section 1).
Answer<OpenTable> open_table(const Context& context, std::string_view name);
/// The same, but refuses the name of an index.
Answer<OpenTable> open_main_table(const Context& context, std::string_view name);

/// Changes a table while nothing is written to it. `edit` gets what is kept of it, and may run more than
/// once. Returns the table as it is then. A stream that it has lost is erased by a job.
Answer<OpenTable> change_table(const Context& context, const OpenTable& table,
                               base::FunctionRef<Answer<void>(TableMeta& meta)> edit);

}  // namespace dinette::tablestore
