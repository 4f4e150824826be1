#include "keyspaces_resource.h"

#include <span>
#include <string>
#include <utility>

#include "definitions/keyspaces.h"
#include "definitions/members.h"
#include "definitions/node_members.h"
#include "keyspaces_properties.h"
#include "resource_types.h"

// docs/definitions/cloudformation.md section 7.
namespace dinette::definitions::cloudformation {
namespace {

using Kind = KeyspacesResource::Kind;

constexpr std::string_view timestamps = "clientSideTimestamps";

Kind keyspaces_kind(std::string_view type) {
  if (type == keyspace_type) return Kind::keyspace;
  return type == user_type_type ? Kind::type : Kind::table;
}

std::span<const Property> known_properties(Kind kind) {
  switch (kind) {
    case Kind::keyspace:
      return properties_of_keyspace();
    case Kind::type:
      return properties_of_user_type();
    case Kind::table:
      return properties_of_keyspaces_table();
  }
  return {};
}

Node taken_member(Node& map, std::string_view key) {
  const Node* const member = map.find(key);
  Node value = member == nullptr ? Node() : *member;
  map.erase(key);
  return value;
}

bool is_yes(const Node& boolean) {
  return boolean.scalar() == "true";
}

Node status_member(std::string_view value) {
  return Node::map({{"status", Node::text(std::string(value))}});
}

/// Returns `[{"name": ...}]` of columns.
Node names_of_columns(const Node& columns) {
  Node names = Node::list();
  for (const Node& column : columns.elements()) {
    Node name = Node::map();
    copy_member(column, "name", name, "name");
    names.append(std::move(name));
  }
  return names;
}

/// The service needs an order where the template may leave it out.
Node clustering_keys(const Node& given) {
  Node keys = Node::list();
  for (const Node& one : given.elements()) {
    Node key = Node::map();
    if (const Node* const column = one.find("column")) copy_member(*column, "name", key, "name");
    key.set("orderBy", Node::text("ASC"));
    copy_member(one, "orderBy", key, "orderBy");
    keys.append(std::move(key));
  }
  return keys;
}

/// Makes one schema of the three lists of columns.
void convert_schema(Node& create) {
  const Node partition = taken_member(create, "partitionKeys");
  const Node clustering = taken_member(create, "clusteringKeys");
  const Node regular = taken_member(create, "regularColumns");
  if (partition.is_null()) return;
  Node columns = partition;
  for (const Node& key : clustering.elements()) {
    if (const Node* const column = key.find("column")) columns.append(*column);
  }
  for (const Node& column : regular.elements()) columns.append(column);
  Node schema = Node::map();
  schema.set("allColumns", std::move(columns));
  schema.set("partitionKeys", names_of_columns(partition));
  if (!clustering.is_null()) schema.set("clusteringKeys", clustering_keys(clustering));
  create.set("schemaDefinition", std::move(schema));
}

void convert_billing(Node& create) {
  Node* const capacity = create.find("capacitySpecification");
  if (capacity == nullptr) return;
  const Node units = taken_member(*capacity, "units");
  for (const Node::Member& unit : units.members()) capacity->set(unit.key, unit.value);
  if (text_at(*capacity, "throughputMode") == "ON_DEMAND")
    capacity->set("throughputMode", Node::text("PAY_PER_REQUEST"));
}

void convert_table(Node& create) {
  convert_schema(create);
  convert_billing(create);
  // They cannot be turned off, and a new table has none.
  if (is_yes(taken_member(create, timestamps))) create.set(timestamps, status_member("ENABLED"));
  if (const Node* const recovery = create.find("pointInTimeRecovery"))
    create.set("pointInTimeRecovery", status_member(is_yes(*recovery) ? "ENABLED" : "DISABLED"));
}

/// Regions need no strategy in a template.
void convert_keyspace(KeyspacesResource& keyspace) {
  keyspace.client_side_timestamps = is_yes(taken_member(keyspace.create, timestamps));
  Node* const replication = keyspace.create.find("replicationSpecification");
  if (replication != nullptr && !replication->has("replicationStrategy"))
    replication->set("replicationStrategy", Node::text("SINGLE_REGION"));
}

}  // namespace

void add_keyspaces_resource(std::string_view type, NamedResource resource, Definitions& to) {
  KeyspacesResource made;
  made.kind = keyspaces_kind(type);
  PropertyConversion conversion(resource, to);
  made.create = conversion.members(resource.properties, known_properties(made.kind));
  if (conversion.failed()) return;
  if (made.kind == Kind::keyspace) convert_keyspace(made);
  if (made.kind == Kind::table) convert_table(made.create);
  made.keyspace = text_at(made.create, "keyspaceName");
  made.id = std::move(resource.id);
  made.name = std::move(resource.name);
  made.place = std::move(resource.place);
  definitions::add_keyspaces_resource(std::move(made), to);
}

}  // namespace dinette::definitions::cloudformation
