#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cql/error.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"
#include "cql/schema/virtual_table.h"

namespace dinette::cql::system {

/// A row that is being made. A value of a column that the table lacks is dropped, so that tables with most
/// columns in common are filled by one function.
class RowMaker {
 public:
  RowMaker(const schema::Table& table, schema::VirtualRow& row) : table_(table), row_(row) {}

  RowMaker& set(std::string_view column, std::string value);

 private:
  const schema::Table& table_;
  schema::VirtualRow& row_;
};

/// The rows of a table that are being made.
class RowsMaker {
 public:
  explicit RowsMaker(const schema::Table& table) : table_(table) {}

  RowMaker add();
  /// Returns the rows in the order of a scan.
  std::vector<schema::VirtualRow> take() &&;

 private:
  const schema::Table& table_;
  std::vector<schema::VirtualRow> rows_;
};

/// A table whose rows a function makes.
class SystemTable final : public schema::VirtualTable {
 public:
  using Fill = Answer<void> (*)(const Place& place, RowsMaker& rows);

  SystemTable(schema::Table table, Fill fill) : table_(std::move(table)), fill_(fill) {}

  const schema::Table& description() const override { return table_; }
  Answer<std::vector<schema::VirtualRow>> rows(const Place& place) const override;

 private:
  const schema::Table table_;
  const Fill fill_;
};

using SystemTables = std::vector<std::unique_ptr<const SystemTable>>;

/// Returns the tables of all system keyspaces. Of static storage.
const SystemTables& all_system_tables();

/// A column as it is declared.
struct Declared {
  std::string_view name;
  Type type;
};
using Declarations = std::initializer_list<Declared>;

/// Declares a table: its partition key, clustering columns, and the others.
schema::Table declare(std::string_view keyspace, std::string_view name, Declarations partition_key,
                      Declarations clustering, Declarations others);

Type native(Kind kind);
Type frozen_list(Type element);
Type frozen_set(Type element);
Type frozen_map(Type key, Type value);
/// The same, not frozen.
Type set_of(Type element);
Type list_of(Type element);
Type map_of(Type key, Type value);

/// Fills what is always empty.
Answer<void> no_rows(const Place& place, RowsMaker& rows);

// The tables of each keyspace.
void add_tables_of_system(SystemTables& tables);
void add_tables_of_schema(SystemTables& tables);
void add_tables_of_mcs(SystemTables& tables);
void add_tables_of_regions(SystemTables& tables);

}  // namespace dinette::cql::system
