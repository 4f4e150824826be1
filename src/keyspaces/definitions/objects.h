#pragma once

#include <string>
#include <string_view>

#include "dinette/cql/definitions.h"

#include "keyspaces/request/context.h"

/// The objects that operations name, and what is done to them.
namespace dinette::keyspaces {

/// Each fails with ResourceNotFoundException if there is no such object.
Answer<cql::KeyspaceDescription> open_keyspace(const Context& context, std::string_view keyspace);
Answer<cql::TableDescription> open_table(const Context& context, std::string_view keyspace,
                                         std::string_view table);
Answer<cql::TypeDescription> open_type(const Context& context, std::string_view keyspace,
                                       std::string_view type);

/// Fails with ConflictException while another operation changes the object.
Answer<void> check_active(std::string_view what, cql::DefinitionStatus status);

/// Carries out a statement of CQL.
Answer<void> define(const Context& context, std::string_view statement);

/// A keyspace or a table that has tags.
struct TaggedResource {
  std::string statement{};  ///< ALTER KEYSPACE "ks" or ALTER TABLE "ks"."t"
  std::string shown{};      ///< Keyspace ks or Table ks.t
  cql::DefinitionStatus status = cql::DefinitionStatus::active;
  cql::DefinitionTags tags{};
};
Answer<TaggedResource> open_tagged(const Context& context, std::string_view arn);

}  // namespace dinette::keyspaces
