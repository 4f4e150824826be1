#pragma once

#include <string_view>

#include "cql/grammar/ast.h"
#include "cql/schema/ddl.h"

namespace dinette::cql::recovery {

/// Makes a table with the rows that another one had at a moment (docs/service-keyspaces/ddl.md section 5).
/// `keyspace`: that of the connection, or empty. Waits while it copies; an unfinished table is removed when
/// the world is opened again.
schema::SchemaAnswer restore_table(const Place& place, std::string_view keyspace,
                                   const grammar::RestoreTable& statement);

/// Carries out CREATE, ALTER, DROP or RESTORE; refuses what would change a system keyspace.
schema::SchemaAnswer execute_definition(const Place& place, std::string_view keyspace,
                                        const grammar::Statement& statement);

}  // namespace dinette::cql::recovery
