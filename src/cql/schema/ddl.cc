#include "cql/schema/ddl.h"

#include <string>
#include <type_traits>
#include <variant>

namespace dinette::cql::schema {
namespace {

const grammar::QualifiedName* name_of(const grammar::Statement& statement) {
  if (const auto* one = std::get_if<grammar::CreateTable>(&statement.value)) return &one->table;
  if (const auto* one = std::get_if<grammar::AlterTable>(&statement.value)) return &one->table;
  if (const auto* one = std::get_if<grammar::DropTable>(&statement.value)) return &one->table;
  if (const auto* one = std::get_if<grammar::RestoreTable>(&statement.value)) return &one->table;
  if (const auto* one = std::get_if<grammar::CreateType>(&statement.value)) return &one->type;
  if (const auto* one = std::get_if<grammar::AlterType>(&statement.value)) return &one->type;
  if (const auto* one = std::get_if<grammar::DropType>(&statement.value)) return &one->type;
  return nullptr;
}

const std::string* keyspace_named_by(const grammar::Statement& statement) {
  if (const auto* one = std::get_if<grammar::CreateKeyspace>(&statement.value)) return &one->name;
  if (const auto* one = std::get_if<grammar::AlterKeyspace>(&statement.value)) return &one->name;
  if (const auto* one = std::get_if<grammar::DropKeyspace>(&statement.value)) return &one->name;
  return nullptr;
}

bool is_about_types(const grammar::Statement& statement) {
  return std::holds_alternative<grammar::CreateType>(statement.value) ||
         std::holds_alternative<grammar::DropType>(statement.value) ||
         std::holds_alternative<grammar::AlterType>(statement.value);
}

/// docs/service-keyspaces/errors.md section 4.
base::Failure<Error> unsupported(std::string_view statement_class) {
  return invalid("Unsupported statement type class org.apache.cassandra.cql3.statements." +
                 std::string(statement_class));
}

struct Execute {
  const Place& place;
  std::string_view keyspace;

  SchemaAnswer operator()(const grammar::CreateKeyspace& one) const { return create_keyspace(place, one); }
  SchemaAnswer operator()(const grammar::AlterKeyspace& one) const { return alter_keyspace(place, one); }
  SchemaAnswer operator()(const grammar::DropKeyspace& one) const { return drop_keyspace(place, one); }
  SchemaAnswer operator()(const grammar::CreateTable& one) const {
    return create_table(place, keyspace, one);
  }
  SchemaAnswer operator()(const grammar::AlterTable& one) const { return alter_table(place, keyspace, one); }
  SchemaAnswer operator()(const grammar::DropTable& one) const { return drop_table(place, keyspace, one); }
  SchemaAnswer operator()(const grammar::CreateType& one) const { return create_type(place, keyspace, one); }
  SchemaAnswer operator()(const grammar::DropType& one) const { return drop_type(place, keyspace, one); }
  SchemaAnswer operator()(const grammar::AlterType& one) const {
    return place.strict() ? unsupported("AlterTypeStatement") : alter_type(place, keyspace, one);
  }
  SchemaAnswer operator()(const grammar::RestoreTable&) const { return unsupported("RestoreTableStatement"); }
  SchemaAnswer operator()(const grammar::Unsupported& one) const { return unsupported(one.statement_class); }
  template <class Other>
  SchemaAnswer operator()(const Other&) const {
    return unsupported("SelectStatement");  // is_ddl() accepts no others
  }
};

}  // namespace

bool is_ddl(const grammar::Statement& statement) {
  return name_of(statement) != nullptr || keyspace_named_by(statement) != nullptr ||
         std::holds_alternative<grammar::Unsupported>(statement.value);
}

std::string_view keyspace_of_ddl(const grammar::Statement& statement, std::string_view keyspace) {
  if (const std::string* const named = keyspace_named_by(statement)) return *named;
  const grammar::QualifiedName* const name = name_of(statement);
  return name != nullptr && !name->keyspace.empty() ? std::string_view(name->keyspace) : keyspace;
}

SchemaAnswer execute_ddl(const Place& place, std::string_view keyspace, const grammar::Statement& statement) {
  const std::string_view in = keyspace_of_ddl(statement, keyspace);
  if (in.empty() && is_about_types(statement)) {
    return invalid("You need to be logged in a keyspace or use a fully qualified user type name");
  }
  if (in.empty() && name_of(statement) != nullptr) {
    return invalid(
        "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
  }
  return std::visit(Execute{place, in}, statement.value);
}

Transition begin_transition(const Place& place, Status status) {
  return {.status = status, .begun = place.now, .until = place.now + place.state_delay};
}

}  // namespace dinette::cql::schema
