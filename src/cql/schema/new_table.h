#pragma once

#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

/// The columns of tables, checked (docs/service-keyspaces/ddl.md sections 3 and 4).
namespace dinette::cql::schema {

/// Returns the table that a statement describes, without an id.
Answer<Table> new_table(const Place& place, const Keyspace& keyspace, const grammar::CreateTable& statement);

/// Adds a column to a table.
Answer<void> add_column(const Keyspace& keyspace, const grammar::ColumnDefinition& definition, Table& table);
/// Remembers a column that is dropped, or dropped again.
void note_dropped(const Column& column, base::TimePoint moment, Table& table);

/// Checks what the service limits of the types of a table (docs/service-keyspaces/limits.md).
Answer<void> check_types(const Place& place, const Table& table);

/// Checks that there may be one more table, and that its types may have one more. Two requests at the same
/// time may both create the last one.
Answer<void> check_table_quotas(const Place& place, const Table& table);

/// Returns a UUID of version 4 as bytes, for Table::id.
std::string random_uuid(base::Ids& ids);

}  // namespace dinette::cql::schema
