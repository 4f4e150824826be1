#include "tablestore/model/table_meta.h"

#include <algorithm>

namespace dinette::tablestore {

std::optional<std::size_t> TableMeta::auto_increment_column() const {
  const auto found = std::ranges::find_if(key, &KeyColumnMeta::auto_increment);
  if (found == key.end()) return std::nullopt;
  return static_cast<std::size_t>(found - key.begin());
}

const DefinedColumnMeta* TableMeta::defined_column(std::string_view column) const {
  const auto found = std::ranges::find(defined_columns, column, &DefinedColumnMeta::name);
  return found == defined_columns.end() ? nullptr : &*found;
}

const IndexMeta* TableMeta::index(std::string_view index_name) const {
  const auto found = std::ranges::find(indexes, index_name, &IndexMeta::name);
  return found == indexes.end() ? nullptr : &*found;
}

const SearchIndexMeta* TableMeta::search_index(std::string_view index_name) const {
  const auto found = std::ranges::find(search_indexes, index_name, &SearchIndexMeta::name);
  return found == search_indexes.end() ? nullptr : &*found;
}

std::string TableMeta::stream_id() const {
  return name + '_' + std::to_string(stream->enabled);
}

std::vector<KeyColumnMeta> completed_key(const TableMeta& table, const IndexMeta& index) {
  std::vector<KeyColumnMeta> completed;
  for (const std::string& name : index.key_columns) {
    const auto in_key = std::ranges::find(table.key, name, &KeyColumnMeta::name);
    if (in_key != table.key.end())
      completed.push_back({name, in_key->type});
    else if (const DefinedColumnMeta* const defined = table.defined_column(name))
      completed.push_back({name, defined->type});
  }
  for (const KeyColumnMeta& column : table.key) {
    if (std::ranges::find(completed, column.name, &KeyColumnMeta::name) == completed.end())
      completed.push_back({column.name, column.type});
  }
  return completed;
}

}  // namespace dinette::tablestore
