#include "keyspaces/definitions/objects.h"

#include <utility>

#include "dinette/aws/region.h"

#include "keyspaces/definitions/cql_text.h"
#include "keyspaces/request/arn.h"

namespace dinette::keyspaces {
namespace {

std::string keyspace_arn(const Context& context, std::string_view keyspace) {
  std::string arn("arn:");
  arn.append(aws::partition_of(context.scope.region)).append(":cassandra:").append(context.scope.region);
  arn.append(":").append(context.scope.account).append(":/keyspace/").append(keyspace);
  return arn.append("/");
}

}  // namespace

Answer<cql::KeyspaceDescription> open_keyspace(const Context& context, std::string_view keyspace) {
  DINETTE_KEYSPACES_DEFINED(auto found, cql::describe_keyspace(context.scope, keyspace));
  if (found) return *std::move(found);
  return not_found("Keyspace " + std::string(keyspace) + " does not exist", keyspace_arn(context, keyspace));
}

Answer<cql::TableDescription> open_table(const Context& context, std::string_view keyspace,
                                         std::string_view table) {
  DINETTE_CHECK(open_keyspace(context, keyspace));
  DINETTE_KEYSPACES_DEFINED(auto found, cql::describe_table(context.scope, keyspace, table));
  if (found) return *std::move(found);
  const std::string name(table);
  return not_found("unconfigured table " + std::string(keyspace) + "." + name,
                   keyspace_arn(context, keyspace) + "table/" + name);
}

Answer<cql::TypeDescription> open_type(const Context& context, std::string_view keyspace,
                                       std::string_view type) {
  DINETTE_TRY(const cql::KeyspaceDescription owner, open_keyspace(context, keyspace));
  DINETTE_KEYSPACES_DEFINED(auto found, cql::describe_type(context.scope, keyspace, type));
  if (found) return *std::move(found);
  return not_found("No user type named " + std::string(keyspace) + "." + std::string(type) + " exists.",
                   owner.arn);
}

Answer<void> check_active(std::string_view what, cql::DefinitionStatus status) {
  if (status == cql::DefinitionStatus::active) return {};
  return refusal(api::ErrorCode::conflict_exception,
                 std::string(what) + " is being created, updated or deleted.");
}

Answer<void> define(const Context& context, std::string_view statement) {
  auto defined = cql::define(context.scope, statement);
  if (!defined) return refusal_of(std::move(defined).error());
  return {};
}

Answer<TaggedResource> open_tagged(const Context& context, std::string_view arn) {
  const auto named = resource_in(arn);
  if (!named || !named->stream_label.empty()) return not_valid("Invalid resource ARN: " + std::string(arn));
  if (named->table.empty()) {
    DINETTE_TRY(cql::KeyspaceDescription keyspace, open_keyspace(context, named->keyspace));
    return TaggedResource{"ALTER KEYSPACE " + quoted_name(named->keyspace),
                          "Keyspace " + std::string(named->keyspace), keyspace.status,
                          std::move(keyspace.tags)};
  }
  DINETTE_TRY(cql::TableDescription table, open_table(context, named->keyspace, named->table));
  return TaggedResource{"ALTER TABLE " + quoted_name(named->keyspace, named->table),
                        "Table " + table.keyspace + "." + table.name, table.status, std::move(table.tags)};
}

}  // namespace dinette::keyspaces
