#include "tablestore/rows/read_target.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/wide_cells.h"

namespace dinette::tablestore {
namespace {

/// Opens the index of that name of a table.
Answer<ReadTarget> open_index(const Context& context, const std::string& table_name, std::string_view name) {
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open(table_name));
  if (!table) return refuse::no_such_table_of_rows();
  const auto& schema = table->schema_as<TableSchema>();
  const auto& indexes = schema.meta().indexes;
  const auto index = std::ranges::find(indexes, name, &IndexMeta::name);
  if (index == indexes.end()) return refuse::no_such_table_of_rows();
  if (index->building) return refuse::index_being_built();
  const auto place = static_cast<std::size_t>(index - indexes.begin());
  return ReadTarget{std::move(table), store::Area::of_index(index->id), schema.index_keys()[place]};
}

}  // namespace

Answer<ReadTarget> open_to_read(const Context& context, std::string_view name, MissingTable missing) {
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open(name));
  if (!table) return missing_table(missing);
  const auto& schema = table->schema_as<TableSchema>();
  if (schema.is_index()) return open_index(context, schema.main_table(), name);
  std::vector<KeyColumnMeta> key = schema.meta().key;
  return ReadTarget{std::move(table), store::Area::rows(), std::move(key)};
}

Answer<void> check_key_size(const PrimaryKey& sent, const ReadTarget& target) {
  if (!target.is_index() && sent.size() > limits::primary_key_columns)
    return refuse::wrong_number_of_key_columns();
  return {};
}

Answer<void> check_key_fits(const PrimaryKey& sent, const ReadTarget& target) {
  DINETTE_CHECK(check_key_size(sent, target));
  return check_key_fits(sent, target.key);
}

kv::Result<bool> read_cells(const store::View& view, base::TimePoint now, const ReadTarget& target,
                            std::string_view row_key, const RowSelection& selection, Cells& cells,
                            HeldCells& held) {
  const Visibility visibility = Visibility::of(target.options(), now);
  DINETTE_TRY(auto value, view.read(*target.table, row_key, target.area));
  if (!value) return false;
  held.packed = *std::move(value);
  if (target.is_index()) {
    DINETTE_TRY(const CellVersion lasts_with, unpack_entry(held.packed.view(), cells));
    keep_visible(cells, visibility);
    return !visibility.expired(lasts_with);
  }
  if (wide_row(held.packed.view()))
    return read_wide(view, *target.table, row_key, selection, visibility, held.wide, cells);
  DINETTE_CHECK(unpack(held.packed.view(), cells));
  return keep_visible(cells, visibility);
}

kv::Result<bool> read_cells(const Context& context, const ReadTarget& target, std::string_view row_key,
                            const RowSelection& selection, const PendingRows* pending, Cells& cells,
                            HeldCells& held) {
  const auto own = pending != nullptr ? pending->find(row_key) : PendingRows::const_iterator();
  const bool is_pending = pending != nullptr && own != pending->end();
  std::optional<kv::Value> value;
  if (is_pending) {
    value = own->second;
  } else if (!target.is_index()) {
    DINETTE_TRY(value, context.store.read_row(*target.table, row_key));
  }
  if (target.is_index() || (value && wide_row(value->view()))) {
    DINETTE_TRY(const store::View view, context.store.view());
    return read_cells(view, context.now, target, row_key, selection, cells, held);
  }
  if (!value || !*value) return false;
  held.packed = *std::move(value);
  DINETTE_CHECK(unpack(held.packed.view(), cells));
  return keep_visible(cells, Visibility::of(target.options(), context.now));
}

}  // namespace dinette::tablestore
