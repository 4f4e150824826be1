#include "dynamodb/api/list_tables.h"

#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::ops {

Answer<api::ListTablesOutput> list_tables(const Context& context, api::ListTablesInput&& input) {
  const auto limit = static_cast<std::size_t>(input.limit);
  std::string after = input.exclusive_start_table_name.value_or("");
  std::vector<std::string> names;
  // One more than the page tells whether there is more. Tables whose deletion is over do not count.
  while (names.size() <= limit) {
    DINETTE_STORED(const std::vector<store::TablePointer> tables,
                   context.store.catalog().list(after, limit + 1 - names.size()));
    if (tables.empty()) break;
    after = tables.back()->name;
    for (const auto& table : tables) {
      if (!state_at(table->schema_as<TableSchema>().record(), context.now).gone) names.push_back(table->name);
    }
  }
  api::ListTablesOutput output;
  if (names.size() > limit) {
    names.resize(limit);
    output.last_evaluated_table_name = names.back();
  }
  output.table_names = std::move(names);
  return output;
}

}  // namespace dinette::dynamodb::ops
