#include "tablestore/rows/row_table.h"

#include "tablestore/api/refusals.h"

namespace dinette::tablestore {

base::Failure<ApiError> missing_table(MissingTable missing) {
  return missing == MissingTable::fails_rows ? refuse::no_such_table() : refuse::no_such_table_of_rows();
}

Answer<OpenTable> open_to_write(const Context& context, std::string_view name, MissingTable missing) {
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open_to_write(name));
  if (!table) {
    // Over a shared engine it may have been created since.
    DINETTE_TABLESTORE_STORED(const bool changed, context.store.catalog().refresh());
    if (changed) {
      DINETTE_TABLESTORE_STORED(table, context.store.catalog().open(name));
    }
    if (!table) return missing_table(missing);
  }
  OpenTable opened{std::move(table)};
  if (opened.schema().is_index()) return refuse::write_to_index();
  return opened;
}

}  // namespace dinette::tablestore
