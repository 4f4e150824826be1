#pragma once

#include <string_view>

#include "cql/error.h"
#include "cql/schema/objects.h"
#include "cql/schema/place.h"
#include "cql/schema/virtual_table.h"

namespace dinette::cql::system {

/// A table that a statement names: one of users, or a system table. Holds on to one version of it.
struct OpenTable {
  store::TablePointer stored{};                         ///< null of a system table
  const schema::VirtualTable* virtual_table = nullptr;  ///< null of a table of users

  const schema::Table& table() const {
    return virtual_table != nullptr ? virtual_table->description()
                                    : stored->schema_as<schema::TableSchema>().table();
  }
};

/// Opens the table that a statement names; `keyspace` is not empty. Fails as docs/service-keyspaces/dml.md
/// section 1 says if there is no such keyspace or table, or it is not usable yet, or no more.
Answer<OpenTable> open_table(const Place& place, std::string_view keyspace, std::string_view table);

/// Returns the keyspace of a statement: the given one, else that of the connection. Fails if both are empty.
Answer<std::string_view> keyspace_of(std::string_view given, std::string_view current);

/// Checks that a USE may choose the keyspace.
Answer<void> check_usable(const Place& place, std::string_view keyspace);

/// Refuses writes and DDL in a system keyspace (docs/service-keyspaces/system-tables.md section 1).
Answer<void> check_modifiable(std::string_view keyspace);

}  // namespace dinette::cql::system
