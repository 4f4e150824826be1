#include "tablestore/indexes/index_build.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "dinette/tenancy/upkeep.h"

#include "tablestore/rows/index_entries.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/stored_row.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {
namespace {

constexpr std::size_t rows_per_step = 64;

/// Returns the keys of the next rows after `last`.
kv::Result<std::vector<std::string>> next_rows(store::Store& store, const store::Table& table,
                                               const std::string& last) {
  store::KeyRange range;
  if (!last.empty()) range.begin = end_of_row(last);
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto keys, view.scan(table, store::Area::rows(), range, store::Direction::forward));
  std::vector<std::string> rows;
  DINETTE_TRY(bool more, keys.next());
  while (more && rows.size() < rows_per_step) {
    const bool wide = wide_row(keys.value()).has_value();
    const std::string& row = rows.emplace_back(keys.key());
    DINETTE_TRY(more, wide ? keys.seek(end_of_row(row)) : keys.next());
  }
  return rows;
}

/// Writes the entries of one row as it is now. Returns false if the table has been altered.
kv::Result<bool> build_entries(store::Store& store, const store::Table& table, const std::string& row_key) {
  const TableSchema& schema = table.schema_as<TableSchema>();
  const store::WriteTarget targets[] = {store::WriteTarget::row_of_several_keys(table, row_key)};
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) -> kv::Result<void> {
    StoredRow row;
    DecodedKey key;
    DINETTE_CHECK(row.read(row_key, rows[0], rows.keys(0), RowReading::all));
    if (!row.present()) return {};
    if (!key.read(row_key, schema.meta().key)) return base::Failure{corrupt_row()};
    add_index_changes(schema, key.key(), nullptr, &row.cells(), changes[0]);
    return {};
  };
  DINETTE_TRY(const auto written, store.write(targets, decide));
  DINETTE_CHECK(written.decision);
  return written.outcome != store::WriteOutcome::table_changed;
}

}  // namespace

kv::Result<bool> IndexBuild::step() {
  DINETTE_TRY(const store::TablePointer table, store_.catalog().open(name_));
  if (!table || table->id != table_ || !is_building(*table)) return false;
  DINETTE_TRY(const std::vector<std::string> rows, next_rows(store_, *table, last_row_));
  for (const std::string& row : rows) {
    DINETTE_TRY(const bool written, build_entries(store_, *table, row));
    if (!written) return true;  // the next step goes on with the table as it is then
    last_row_ = row;
  }
  if (rows.size() == rows_per_step) return true;
  DINETTE_CHECK(finish(*table));
  return false;
}

bool IndexBuild::is_building(const store::Table& table) const {
  const TableSchema& schema = table.schema_as<TableSchema>();
  return std::ranges::any_of(schema.meta().indexes,
                             [this](const IndexMeta& index) { return index.id == index_ && index.building; });
}

kv::Result<void> IndexBuild::finish(const store::Table& table) {
  const auto mark = [this](const store::Table& current) {
    TableMeta meta = current.schema_as<TableSchema>().meta();
    for (IndexMeta& index : meta.indexes)
      if (index.id == index_) index.building = false;
    return std::optional(store::TableUpdate(encode_table(meta)));
  };
  DINETTE_CHECK(store_.catalog().update(table, mark));
  return {};
}

Answer<void> build_index(store::Store& store, const store::Table& table, std::uint32_t index_id) {
  IndexBuild build(store, table, index_id);
  for (bool more = true; more;) {
    DINETTE_TABLESTORE_STORED(more, build.step());
  }
  return {};
}

void build_indexes_later(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  for (const IndexMeta& index : table.schema_as<TableSchema>().meta().indexes) {
    if (!index.building) continue;
    const auto build = std::make_shared<IndexBuild>(store, table, index.id);
    tenancy::run_upkeep(store, jobs,
                        "index " + std::to_string(index.id) + " of table " + std::to_string(table.id),
                        base::Jobs::at_once, [build](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                          DINETTE_TRY(const bool more, build->step());
                          return more ? base::Jobs::Next(base::Jobs::at_once) : base::Jobs::done;
                        });
  }
}

}  // namespace dinette::tablestore
