#include "tablestore/api/add_defined_column.h"

#include "tablestore/tables/open_table.h"
#include "tablestore/tables/table_checks.h"

// tablestore/tables.md section 5.
namespace dinette::tablestore::ops {

Answer<api::AddDefinedColumnResponse> add_defined_column(const Context& context,
                                                         api::AddDefinedColumnRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.table_name));
  DINETTE_CHECK(change_table(context, table, [&](TableMeta& meta) {
    return add_defined_columns(meta.key, request.columns, meta.defined_columns);
  }));
  return api::AddDefinedColumnResponse();
}

}  // namespace dinette::tablestore::ops
