#include "keyspaces/api/create_type.h"

#include <string>

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3; docs/service-keyspaces/ddl.md section 7.
namespace dinette::keyspaces::ops {

Answer<api::CreateTypeOutput> create_type(const Context& context, api::CreateTypeInput&& input) {
  DINETTE_TRY(const auto keyspace, open_keyspace(context, input.keyspace_name));
  const auto name = name_in_text(input.type_name);
  if (!name) return not_valid("Invalid name of a type: " + input.type_name);
  DINETTE_KEYSPACES_DEFINED(const auto present, cql::describe_type(context.scope, keyspace.name, *name));
  if (present) {
    return refusal(api::ErrorCode::conflict_exception,
                   "A user type of name " + keyspace.name + "." + *name + " already exists");
  }
  std::string fields;
  for (const api::FieldDefinition& field : input.field_definitions) {
    DINETTE_TRY(const std::string text, column_of(field.name, field.type));
    fields.append(fields.empty() ? "" : ", ").append(text);
  }
  DINETTE_CHECK(define(context, "CREATE TYPE " + quoted_name(keyspace.name, *name) + " (" + fields + ")"));
  return api::CreateTypeOutput{keyspace.arn, *name};
}

}  // namespace dinette::keyspaces::ops
