#include "cql/system/system_table.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "cql/system/system_tables.h"
#include "cql/types/key_order.h"
#include "cql/types/token.h"

namespace dinette::cql::system {
namespace {

using schema::ColumnKind;

/// What a scan is ordered by.
struct ScanOrder {
  std::int64_t token = 0;
  std::string key;

  auto operator<=>(const ScanOrder&) const = default;
};

ScanOrder order_of(const schema::Table& table, const schema::VirtualRow& row) {
  ScanOrder order;
  const std::size_t partition = table.partition_key_size();
  std::vector<std::string_view> values;
  for (std::size_t i = 0; i < partition; ++i) values.push_back(*row[i]);
  const std::string key = partition_key_bytes(values);
  order.token = murmur3_token(key);
  store::append_bytes(order.key, key);
  for (std::size_t i = partition; i < partition + table.clustering_size(); ++i)
    append_key(order.key, table.columns[i].type, *row[i], table.columns[i].order);
  return order;
}

void add_columns(schema::Table& table, Declarations declarations, ColumnKind kind) {
  int position = 0;
  for (const Declared& declared : declarations) {
    const bool in_key = kind <= ColumnKind::clustering;
    table.columns.push_back({.id = table.next_column++,
                             .name = std::string(declared.name),
                             .kind = kind,
                             .position = in_key ? position++ : -1,
                             .type = declared.type});
  }
}

Type collection(Kind kind, bool frozen, std::vector<Type> arguments) {
  return {.kind = kind, .frozen = frozen, .arguments = std::move(arguments)};
}

SystemTables make_all() {
  SystemTables tables;
  add_tables_of_system(tables);
  add_tables_of_schema(tables);
  add_tables_of_mcs(tables);
  add_tables_of_regions(tables);
  return tables;
}

}  // namespace

RowMaker& RowMaker::set(std::string_view column, std::string value) {
  const schema::Column* const found = table_.find_column(column);
  if (found != nullptr) row_[static_cast<std::size_t>(found - table_.columns.data())] = std::move(value);
  return *this;
}

RowMaker RowsMaker::add() {
  return RowMaker(table_, rows_.emplace_back(table_.columns.size()));
}

std::vector<schema::VirtualRow> RowsMaker::take() && {
  std::vector<std::pair<ScanOrder, schema::VirtualRow>> ordered;
  ordered.reserve(rows_.size());
  for (schema::VirtualRow& row : rows_) {
    ScanOrder order = order_of(table_, row);
    ordered.emplace_back(std::move(order), std::move(row));
  }
  std::ranges::sort(ordered, {}, [](const auto& one) -> const ScanOrder& { return one.first; });
  std::vector<schema::VirtualRow> rows;
  rows.reserve(ordered.size());
  for (auto& [order, row] : ordered) rows.push_back(std::move(row));
  return rows;
}

Answer<std::vector<schema::VirtualRow>> SystemTable::rows(const Place& place) const {
  RowsMaker rows(table_);
  DINETTE_CHECK(fill_(place, rows));
  return std::move(rows).take();
}

schema::Table declare(std::string_view keyspace, std::string_view name, Declarations partition_key,
                      Declarations clustering, Declarations others) {
  schema::Table table{.keyspace = std::string(keyspace), .name = std::string(name)};
  add_columns(table, partition_key, ColumnKind::partition_key);
  add_columns(table, clustering, ColumnKind::clustering);
  add_columns(table, others, ColumnKind::regular);
  schema::sort_columns(table.columns);
  return table;
}

Type native(Kind kind) {
  return {.kind = kind};
}
Type frozen_list(Type element) {
  return collection(Kind::list, true, {std::move(element)});
}
Type frozen_set(Type element) {
  return collection(Kind::set, true, {std::move(element)});
}
Type frozen_map(Type key, Type value) {
  return collection(Kind::map, true, {std::move(key), std::move(value)});
}
Type set_of(Type element) {
  return collection(Kind::set, false, {std::move(element)});
}
Type list_of(Type element) {
  return collection(Kind::list, false, {std::move(element)});
}
Type map_of(Type key, Type value) {
  return collection(Kind::map, false, {std::move(key), std::move(value)});
}

Answer<void> no_rows(const Place&, RowsMaker&) {
  return {};
}

bool is_system_keyspace(std::string_view keyspace) {
  return std::ranges::find(system_keyspaces, keyspace) != system_keyspaces.end();
}

const SystemTables& all_system_tables() {
  static const SystemTables tables = make_all();
  return tables;
}

const schema::VirtualTable* find_system_table(std::string_view keyspace, std::string_view table) {
  for (const auto& one : all_system_tables()) {
    if (one->description().keyspace == keyspace && one->description().name == table) return one.get();
  }
  return nullptr;
}

}  // namespace dinette::cql::system
