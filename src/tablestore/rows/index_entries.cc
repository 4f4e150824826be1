#include "tablestore/rows/index_entries.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "dinette/kv/engine.h"

#include "tablestore/api/limits.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/stored_cells.h"

namespace dinette::tablestore {
namespace {

/// What the store has room for in a key, next to where it is. Keys are longer only if they have thousands of
/// bytes 00, each of which takes two: such rows are not in the index.
constexpr std::size_t longest_entry_key = kv::max_key_size - 256;

/// Returns the newest version of a column, or null.
const Cell* newest(const Cells& cells, std::string_view column) {
  const auto found = std::ranges::lower_bound(cells, column, {}, &Cell::name);
  return found != cells.end() && found->name == column ? &*found : nullptr;
}

/// An entry cannot be seen once a cell of its key, or the whole row, has expired.
CellVersion lasts_with(const TableOptions& options, const Cells& cells,
                       std::optional<CellVersion> oldest_in_key) {
  if (oldest_in_key) return *oldest_in_key;
  if (cells.empty() || !options.expires()) return std::numeric_limits<CellVersion>::max();
  return std::ranges::max(cells, {}, &Cell::version).version;
}

Cells attributes_of(const IndexMeta& index, const Cells& cells) {
  Cells attributes;
  for (const std::string& column : index.attributes)
    if (const Cell* const cell = newest(cells, column)) attributes.push_back(*cell);
  std::ranges::sort(attributes, {}, &Cell::name);
  return attributes;
}

}  // namespace

std::optional<IndexEntry> entry_of(const TableSchema& table, std::size_t index, const PrimaryKey& key,
                                   const Cells& cells) {
  IndexEntry entry;
  std::optional<CellVersion> oldest;
  for (const KeyColumnMeta& column : table.index_keys()[index]) {
    const auto in_key = std::ranges::find(key, column.name, &KeyColumn::name);
    if (in_key != key.end()) {
      append_key_value(entry.key, in_key->value);
      continue;
    }
    const Cell* const cell = newest(cells, column.name);
    if (cell == nullptr || cell->value.type() != column.type) return std::nullopt;
    if (cell->value.bytes().size() > limits::primary_key_value_bytes) return std::nullopt;
    append_key_value(entry.key, cell->value);
    oldest = std::min(oldest.value_or(cell->version), cell->version);
  }
  if (entry.key.size() > longest_entry_key) return std::nullopt;
  entry.value = pack_entry(lasts_with(table.meta().options, cells, oldest),
                           attributes_of(table.meta().indexes[index], cells));
  return entry;
}

void append_indexed_columns(const TableMeta& table, std::vector<std::string_view>& columns) {
  for (const IndexMeta& index : table.indexes) {
    for (const std::string& column : index.key_columns)
      if (table.defined_column(column) != nullptr) columns.push_back(column);
    columns.insert(columns.end(), index.attributes.begin(), index.attributes.end());
  }
}

void add_index_changes(const TableSchema& table, const PrimaryKey& key, const Cells* before,
                       const Cells* after, store::RowChange& change) {
  for (std::size_t i = 0; i < table.meta().indexes.size(); ++i) {
    const auto old_entry = before != nullptr ? entry_of(table, i, key, *before) : std::nullopt;
    auto new_entry = after != nullptr ? entry_of(table, i, key, *after) : std::nullopt;
    const IndexMeta& index = table.meta().indexes[i];
    const store::Area area = store::Area::of_index(index.id);
    const bool may_lack_entry = index.building || index.partial;
    if (old_entry && (!new_entry || old_entry->key != new_entry->key))
      change.entries.push_back({area, old_entry->key, {}});
    if (new_entry && (may_lack_entry || !(old_entry == new_entry)))
      change.entries.push_back({area, std::move(new_entry->key), std::move(new_entry->value)});
  }
}

}  // namespace dinette::tablestore
