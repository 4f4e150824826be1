#include "dynamodb/tables/filled_table.h"

#include <optional>

#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

kv::Result<void> end_filling(store::Store& store, const store::Table& table,
                             base::FunctionRef<void(api::TableRecord& record)> mark) {
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    mark(record);
    return store::TableUpdate(encode_record(record));
  };
  // Who may see the past must not see it half full when it is said to be there.
  store.forget_history();
  DINETTE_TRY([[maybe_unused]] const store::TablePointer marked, store.catalog().update(table, decide));
  return {};
}

}  // namespace dinette::dynamodb
