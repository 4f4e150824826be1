#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cql/system/system_table.h"

/// Rows about keyspaces, tables, columns and types, which several keyspaces have in tables of their own.
namespace dinette::cql::system {

Answer<void> fill_keyspaces(const Place& place, RowsMaker& rows);
/// Of tables that can be used.
Answer<void> fill_tables(const Place& place, RowsMaker& rows);
/// Also of those that are being created or deleted.
Answer<void> fill_all_tables(const Place& place, RowsMaker& rows);
Answer<void> fill_columns(const Place& place, RowsMaker& rows);
Answer<void> fill_dropped_columns(const Place& place, RowsMaker& rows);
Answer<void> fill_types(const Place& place, RowsMaker& rows);

/// Texts by name, as {'a': 'b'}.
using TextMap = std::map<std::string, std::string>;
std::string text_map_value(const TextMap& texts);

/// Returns the column custom_properties of a table.
std::string custom_properties_value(const Place& place, const schema::Table& table);

}  // namespace dinette::cql::system
