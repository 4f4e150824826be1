#pragma once

#include <optional>
#include <string_view>

#include "dinette/base/clock.h"

#include "cql/error.h"
#include "cql/frames/replies.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

/// CREATE, ALTER and DROP of keyspaces, tables and types (docs/service-keyspaces/ddl.md).
namespace dinette::cql::schema {

/// What a statement has changed.
struct SchemaOutcome {
  frames::SchemaChange change{};
  base::TimePoint done{};  ///< when the change is over, by the world's clock
};

/// Nothing if IF [NOT] EXISTS made the statement do nothing.
using SchemaAnswer = Answer<std::optional<SchemaOutcome>>;

/// Returns true of the statements that execute_ddl() carries out.
bool is_ddl(const grammar::Statement& statement);

/// Carries out a statement that is_ddl() accepts. `keyspace`: that of the connection, or empty. System
/// keyspaces cannot be changed; the caller has refused that.
SchemaAnswer execute_ddl(const Place& place, std::string_view keyspace, const grammar::Statement& statement);

/// Returns the keyspace that the statement changes, or in which it does: the one it names, else `keyspace`.
std::string_view keyspace_of_ddl(const grammar::Statement& statement, std::string_view keyspace);

// Each is one of these statements; `keyspace` is that in which it works.
SchemaAnswer create_keyspace(const Place& place, const grammar::CreateKeyspace& statement);
SchemaAnswer alter_keyspace(const Place& place, const grammar::AlterKeyspace& statement);
SchemaAnswer drop_keyspace(const Place& place, const grammar::DropKeyspace& statement);
SchemaAnswer create_table(const Place& place, std::string_view keyspace,
                          const grammar::CreateTable& statement);
SchemaAnswer alter_table(const Place& place, std::string_view keyspace, const grammar::AlterTable& statement);
SchemaAnswer drop_table(const Place& place, std::string_view keyspace, const grammar::DropTable& statement);
SchemaAnswer create_type(const Place& place, std::string_view keyspace, const grammar::CreateType& statement);
SchemaAnswer alter_type(const Place& place, std::string_view keyspace, const grammar::AlterType& statement);
SchemaAnswer drop_type(const Place& place, std::string_view keyspace, const grammar::DropType& statement);

/// Returns the state of an object that begins a change now.
Transition begin_transition(const Place& place, Status status);

}  // namespace dinette::cql::schema
