#pragma once

#include <array>
#include <string_view>

#include "cql/schema/virtual_table.h"

/// The four keyspaces that every account has (docs/service-keyspaces/system-tables.md).
namespace dinette::cql::system {

/// In the order of listings.
inline constexpr std::array<std::string_view, 4> system_keyspaces = {"system_schema", "system_schema_mcs",
                                                                     "system", "system_multiregion_info"};

bool is_system_keyspace(std::string_view keyspace);

/// Returns null if there is none of that name. Of static storage.
const schema::VirtualTable* find_system_table(std::string_view keyspace, std::string_view table);

}  // namespace dinette::cql::system
