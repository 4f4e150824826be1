#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "dinette/store/catalog.h"

#include "cql/schema/schema.h"

/// Keyspaces and tables as the store's catalog keeps them (src/cql/FORMAT.md). A keyspace is a table of the
/// store without rows, named as the keyspace; a table is one named "keyspace.table". Names of both are of
/// letters, digits and underscores.
namespace dinette::cql::schema {

/// The description of a keyspace, decoded.
class KeyspaceSchema final : public store::Schema {
 public:
  explicit KeyspaceSchema(Keyspace keyspace) : keyspace_(std::move(keyspace)) {}
  const Keyspace& keyspace() const { return keyspace_; }

 private:
  Keyspace keyspace_;
};

/// The description of a table, decoded.
class TableSchema final : public store::Schema {
 public:
  explicit TableSchema(Table table) : table_(std::move(table)) {}
  const Table& table() const { return table_; }

  bool keeps_versions() const override { return table_.options.point_in_time_recovery; }

 private:
  Table table_;
};

/// Returns a KeyspaceSchema or a TableSchema, or null if the bytes are neither.
std::shared_ptr<const store::Schema> decode(std::string_view description);
std::string encode(const Keyspace& keyspace);
std::string encode(const Table& table);

/// Returns the name of a table in the store's catalog.
std::string stored_name(std::string_view keyspace, std::string_view table);
/// Returns true if that is the name of a keyspace, and not of a table.
bool names_keyspace(std::string_view stored);

}  // namespace dinette::cql::schema
