#include "tablestore/tables/open_table.h"

#include <optional>
#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/tables/former_streams.h"

namespace dinette::tablestore {

Answer<OpenTable> open_table(const Context& context, std::string_view name) {
  DINETTE_CHECK(check_table_name(name));
  if (context.details != nullptr) context.details->table(name);  // also if there is none
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open(name));
  if (!table) return refuse::no_such_table();
  return OpenTable{std::move(table)};
}

Answer<OpenTable> open_main_table(const Context& context, std::string_view name) {
  DINETTE_TRY(OpenTable found, open_table(context, name));
  if (found.schema().is_index()) return refuse::write_to_index();
  return found;
}

Answer<OpenTable> change_table(const Context& context, const OpenTable& table,
                               base::FunctionRef<Answer<void>(TableMeta& meta)> edit) {
  Answer<void> edited = refuse::no_such_table();  // unless it is still there
  bool loses_stream = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    TableMeta meta = current.schema_as<TableSchema>().meta();
    edited = edit(meta);
    if (!edited) return std::nullopt;
    store::TableUpdate update(encode_table(meta));
    note_former_stream(current.schema_as<TableSchema>().meta(), &meta, update.entries);
    loses_stream = !update.entries.empty();
    return update;
  };
  DINETTE_TABLESTORE_STORED(store::TablePointer changed,
                            context.store.catalog().update(*table.table, decide));
  DINETTE_CHECK(std::move(edited));
  if (loses_stream) erase_former_streams_later(context.store, context.world.jobs());
  return OpenTable{std::move(changed)};
}

}  // namespace dinette::tablestore
