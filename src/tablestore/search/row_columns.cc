#include "tablestore/search/row_columns.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore::search {

Answer<RowColumns> RowColumns::read(const std::optional<api::ColumnsToGet>& asked, const IndexSchema& schema,
                                    const Switches& switches) {
  RowColumns columns;
  const auto type =
      asked ? asked->return_type.value_or(api::ColumnReturnType::none) : api::ColumnReturnType::none;
  std::vector<std::string_view> names;
  if (type == api::ColumnReturnType::specified) names = asked->column_names;
  if (type == api::ColumnReturnType::all_from_index)
    for (const Field& field : schema.fields()) names.push_back(field.source());
  columns.keys_only_ = type != api::ColumnReturnType::all && names.empty();
  // Views of the request and of the schema, which live as long as the search.
  columns.beyond_index_ =
      type == api::ColumnReturnType::all ||
      std::ranges::any_of(names, [&](std::string_view name) { return schema.find(name) == nullptr; });
  const std::optional<api::TimeRange> any_time;
  DINETTE_TRY(columns.selection_, read_selection({.columns_to_get = names,
                                                  .time_range = any_time,
                                                  .max_versions = 1,
                                                  .start_column = {},
                                                  .end_column = {},
                                                  .filter = {}},
                                                 switches));
  return columns;
}

Answer<std::string> RowColumns::row(const store::View& view, base::TimePoint now, const ReadTarget& target,
                                    std::string_view row_key) const {
  Cells cells;
  HeldCells held;
  DecodedKey key;
  std::string row;
  if (!key.read(row_key, target.key)) return storage_failure(corrupt_row());
  if (!keys_only_) {
    DINETTE_TABLESTORE_STORED([[maybe_unused]] const bool found,
                              read_cells(view, now, target, row_key, selection_, cells, held));
    select(selection_, key.key(), target.options(), cells);
  }
  plainbuffer::RowWriter writer(row);
  writer.begin(key.key());
  for (const Cell& cell : cells) writer.cell(cell.name, cell.value, cell.version);
  writer.end();
  return row;
}

}  // namespace dinette::tablestore::search
