#include "tablestore/api/delete_defined_column.h"

#include <algorithm>

#include "tablestore/api/refusals.h"
#include "tablestore/tables/open_table.h"

// tablestore/tables.md section 5.
namespace dinette::tablestore::ops {
namespace {

bool is_indexed(const TableMeta& table, std::string_view column) {
  return std::ranges::any_of(table.indexes, [&](const IndexMeta& index) {
    return std::ranges::find(index.key_columns, column) != index.key_columns.end() ||
           std::ranges::find(index.attributes, column) != index.attributes.end();
  });
}

Answer<void> remove_columns(const std::vector<std::string_view>& columns, TableMeta& table) {
  for (const std::string_view name : columns) {
    if (table.defined_column(name) == nullptr) return refuse::no_such_column(name);
    if (is_indexed(table, name)) return refuse::defined_column_is_indexed(name);
    std::erase_if(table.defined_columns,
                  [&](const DefinedColumnMeta& column) { return column.name == name; });
  }
  return {};
}

}  // namespace

Answer<api::DeleteDefinedColumnResponse> delete_defined_column(const Context& context,
                                                               api::DeleteDefinedColumnRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.table_name));
  DINETTE_CHECK(
      change_table(context, table, [&](TableMeta& meta) { return remove_columns(request.columns, meta); }));
  return api::DeleteDefinedColumnResponse();
}

}  // namespace dinette::tablestore::ops
