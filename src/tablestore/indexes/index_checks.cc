#include "tablestore/indexes/index_checks.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"

namespace dinette::tablestore {
namespace {

bool may_be_in_key(ValueType type) {
  return type == ValueType::integer || type == ValueType::string || type == ValueType::binary;
}

/// Columns of an index's key are those of the table's key, or defined ones of types that keys have.
Answer<void> check_key_column(const std::string& name, const TableMeta& table) {
  if (std::ranges::find(table.key, name, &KeyColumnMeta::name) != table.key.end()) return {};
  const DefinedColumnMeta* const defined = table.defined_column(name);
  if (defined == nullptr) return refuse::no_such_column(name);
  if (!may_be_in_key(defined->type)) return refuse::invalid_key_type(name_of(defined->type));
  return {};
}

Answer<void> check_first_column(const IndexMeta& index, const TableMeta& table) {
  const std::string& first = index.key_columns.front();
  if (index.kind == IndexKind::local && first != table.key.front().name)
    return refuse::local_index_of_another_partition();
  const auto in_key = std::ranges::find(table.key, first, &KeyColumnMeta::name);
  if (in_key != table.key.end() && in_key->auto_increment) return refuse::first_key_is_auto_increment();
  return {};
}

Answer<void> check_columns(const IndexMeta& index, const TableMeta& table) {
  const std::size_t columns = index.key_columns.size();
  if (columns < 1 || columns > limits::primary_key_columns)
    return refuse::wrong_number_of_index_key_columns();
  if (index.attributes.size() > limits::index_attribute_columns) return refuse::too_many_index_attributes();
  std::vector<std::string_view> seen;
  for (const std::string& name : index.key_columns) {
    DINETTE_CHECK(check_key_column(name, table));
    if (std::ranges::find(seen, name) != seen.end()) return refuse::duplicate_key_column(name);
    seen.push_back(name);
  }
  for (const std::string& name : index.attributes) {
    if (table.defined_column(name) == nullptr) return refuse::no_such_column(name);
    if (std::ranges::find(seen, name) != seen.end()) return refuse::duplicate_defined_column(name);
    seen.push_back(name);
  }
  return check_first_column(index, table);
}

}  // namespace

Answer<void> add_index(const api::IndexMeta& given, TableMeta& table) {
  IndexMeta index;
  index.name = given.name;
  index.key_columns = given.primary_key;
  index.attributes = given.defined_column;
  index.kind = given.index_type == api::IndexType::local_index ? IndexKind::local : IndexKind::global;
  index.synchronous = given.index_update_mode == api::IndexUpdateMode::sync_index;
  DINETTE_CHECK(check_table_name(index.name));
  DINETTE_CHECK(check_columns(index, table));
  if (table.indexes.size() >= limits::indexes) return refuse::too_many_indexes(limits::indexes);
  if (index.name == table.name || table.index(index.name) != nullptr) return refuse::table_exists();
  index.id = table.next_index++;
  table.indexes.push_back(std::move(index));
  return check_index_options(table);
}

Answer<void> check_index_options(const TableMeta& table) {
  if (table.indexes.empty()) return {};
  if (table.options.max_versions != 1) return refuse::several_versions_with_index();
  if (table.options.expires() && table.options.allow_update) return refuse::expiring_updates_with_index();
  return {};
}

}  // namespace dinette::tablestore
