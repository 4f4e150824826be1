#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/store/catalog.h"

#include "cql/error.h"
#include "cql/schema/place.h"
#include "cql/schema/table_schema.h"

/// What users have created, as DDL and the system tables see it: also while it is being created or deleted.
/// What is gone by the world's clock, though still stored, is not found.
namespace dinette::cql::schema {

/// A keyspace that was found; holds on to one version of it.
struct StoredKeyspace {
  store::TablePointer stored{};

  const Keyspace& keyspace() const { return stored->schema_as<KeyspaceSchema>().keyspace(); }
};

/// A table that was found; holds on to one version of it.
struct StoredTable {
  store::TablePointer stored{};

  const Table& table() const { return stored->schema_as<TableSchema>().table(); }
};

Answer<std::optional<StoredKeyspace>> find_keyspace(const Place& place, std::string_view keyspace);
Answer<std::optional<StoredTable>> find_table(const Place& place, std::string_view keyspace,
                                              std::string_view table);

struct Objects {
  std::vector<StoredKeyspace> keyspaces;
  std::vector<StoredTable> tables;
};

/// Returns everything, ascending by name. The cost is proportional to the number of tables.
Answer<Objects> list_objects(const Place& place);
/// Returns the tables of one keyspace, ascending by name.
Answer<std::vector<StoredTable>> list_tables(const Place& place, std::string_view keyspace);

/// Returns true if statements may use it: it exists, and is not being created or deleted.
bool is_usable(const Transition& transition, base::TimePoint now);
bool is_usable(const Table& table, base::TimePoint now);

/// Returns what a table is doing, also while it is being filled.
Status status_at(const Table& table, base::TimePoint now);

}  // namespace dinette::cql::schema
