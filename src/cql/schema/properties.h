#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

/// What follows WITH (docs/service-keyspaces/ddl.md sections 2, 3 and 8).
namespace dinette::cql::schema {

/// Returns null if there is none of that name.
const grammar::PropertyValue* find_property(const grammar::Properties& properties, std::string_view name);

/// Returns the value of a key of a map; null if there is none, or this is no map.
const grammar::PropertyValue* entry_of(const grammar::PropertyValue& map, std::string_view name);
/// Returns a whole number, quoted or not; nothing of another value.
std::optional<std::int64_t> number_of(const grammar::PropertyValue& value);

/// Reads {'status': 'enabled'} of a property.
Answer<bool> read_status(std::string_view property, const grammar::PropertyValue& map);

/// Reads the replication of a keyspace, which must be among the properties.
Answer<Replication> read_replication(const Place& place, std::string_view keyspace,
                                     const grammar::Properties& properties);

/// Sets what the properties of a table say. `created`: they are of a new table; else of an ALTER TABLE, which
/// changes less.
Answer<void> apply_properties(const Place& place, const grammar::Properties& properties, bool created,
                              Table& table);

/// Adds tags to those there are.
Answer<void> add_tags(const grammar::PropertyValue& given, Tags& tags);
/// Removes tags by their keys.
Answer<void> drop_tags(const grammar::PropertyValue& given, Tags& tags);

}  // namespace dinette::cql::schema
