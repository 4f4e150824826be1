#include "tablestore/api/list_table.h"

#include <limits>

// tablestore/tables.md section 4.
namespace dinette::tablestore::ops {

Answer<api::ListTableResponse> list_table(const Context& context, api::ListTableRequest&&) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", all));
  api::ListTableResponse response;
  for (const store::TablePointer& table : tables) response.table_names.push_back(table->name);
  return response;
}

}  // namespace dinette::tablestore::ops
