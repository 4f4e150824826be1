#include "keyspaces_resources.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "../keyspaces.h"
#include "../members.h"
#include "../node_members.h"
#include "table_links.h"

// docs/definitions/terraform.md section 5.
namespace dinette::definitions {
namespace {

using Kind = KeyspacesResource::Kind;

constexpr std::string_view keyspace_resource = "aws_keyspaces_keyspace";
constexpr std::string_view keyspaces_table_resource = "aws_keyspaces_table";

/// An attribute of a block, and the member of the API that it is.
struct BlockAttribute {
  std::string_view block;
  std::string_view attribute;
  std::string_view member_of_block;
  std::string_view member;
};

constexpr std::array<BlockAttribute, 9> block_attributes{{
    {"capacity_specification", "throughput_mode", "capacitySpecification", "throughputMode"},
    {"capacity_specification", "read_capacity_units", "capacitySpecification", "readCapacityUnits"},
    {"capacity_specification", "write_capacity_units", "capacitySpecification", "writeCapacityUnits"},
    {"client_side_timestamps", "status", "clientSideTimestamps", "status"},
    {"comment", "message", "comment", "message"},
    {"encryption_specification", "type", "encryptionSpecification", "type"},
    {"encryption_specification", "kms_key_identifier", "encryptionSpecification", "kmsKeyIdentifier"},
    {"point_in_time_recovery", "status", "pointInTimeRecovery", "status"},
    {"ttl", "status", "ttl", "status"},
}};

bool is_number_attribute(std::string_view attribute) {
  return attribute.ends_with("_units");
}

/// States have 0 for a number that is not set.
void copy_block_attribute(const Node& block, const BlockAttribute& attribute, Node& create) {
  const bool is_number = is_number_attribute(attribute.attribute);
  if (is_number ? !is_positive_at(block, attribute.attribute) : !is_set_at(block, attribute.attribute))
    return;
  Node value = *block.find(attribute.attribute);
  if (is_number) value = as_integer(value).value_or(value);
  if (!create.has(attribute.member_of_block)) create.set(attribute.member_of_block, Node::map());
  create.find(attribute.member_of_block)->set(attribute.member, std::move(value));
}

/// Returns the blocks of that name with these attributes, under the names of the API.
Node blocks_as_list(const Node& values, std::string_view name,
                    std::initializer_list<std::pair<std::string_view, std::string_view>> attributes) {
  Node list = Node::list();
  const Node* const blocks = values.find(name);
  if (blocks == nullptr) return list;
  for (const Node& block : blocks->is_map() ? std::vector<Node>{*blocks} : blocks->elements()) {
    Node element = Node::map();
    for (const auto& [attribute, member] : attributes) copy_member(block, attribute, element, member);
    list.append(std::move(element));
  }
  return list;
}

void set_schema(const Node& values, Node& create) {
  const Node* const given = block_of(values, "schema_definition");
  if (given == nullptr) return;
  Node schema = Node::map();
  schema.set("allColumns", blocks_as_list(*given, "column", {{"name", "name"}, {"type", "type"}}));
  schema.set("partitionKeys", blocks_as_list(*given, "partition_key", {{"name", "name"}}));
  schema.set("clusteringKeys",
             blocks_as_list(*given, "clustering_key", {{"name", "name"}, {"order_by", "orderBy"}}));
  schema.set("staticColumns", blocks_as_list(*given, "static_column", {{"name", "name"}}));
  create.set("schemaDefinition", std::move(schema));
}

void set_keyspaces_tags(const Node& values, Node& create) {
  const Node* const tags = values.find(is_set_at(values, "tags_all") ? "tags_all" : "tags");
  if (tags == nullptr || tags->members().empty()) return;
  Node list = Node::list();
  for (const Node::Member& tag : tags->members())
    list.append(Node::map({{"key", Node::text(tag.key)}, {"value", Node::text(tag.value.scalar())}}));
  create.set("tags", std::move(list));
}

void set_replication(const Node& values, Node& create) {
  const Node* const given = block_of(values, "replication_specification");
  if (given == nullptr) return;
  Node replication = Node::map();
  copy_member(*given, "replication_strategy", replication, "replicationStrategy");
  // A state has the own region of a keyspace in a single one.
  if (text_at(replication, "replicationStrategy") != "SINGLE_REGION")
    copy_member(*given, "region_list", replication, "regionList");
  if (!replication.members().empty()) create.set("replicationSpecification", std::move(replication));
}

Node create_of_table(const Node& values) {
  Node create = Node::map();
  set_schema(values, create);
  for (const BlockAttribute& attribute : block_attributes) {
    if (const Node* const block = block_of(values, attribute.block))
      copy_block_attribute(*block, attribute, create);
  }
  if (is_positive_at(values, "default_time_to_live")) {
    const Node& seconds = *values.find("default_time_to_live");
    create.set("defaultTimeToLive", as_integer(seconds).value_or(seconds));
  }
  return create;
}

/// Makes definitions of resources: first the keyspaces, to which tables refer.
class KeyspacesResources {
 public:
  KeyspacesResources(const std::vector<Resource>& resources, const Surroundings& surroundings,
                     Definitions& to)
      : resources_(resources), surroundings_(surroundings), to_(to), by_address_(keyspace_resource) {}

  void read() {
    for (const Resource& resource : resources_) {
      if (resource.type == keyspace_resource) add_keyspace(resource);
    }
    for (const Resource& resource : resources_) {
      if (resource.type == keyspaces_table_resource) add_table_of_keyspace(resource);
    }
  }

 private:
  std::string name_of(const Resource& resource, std::string_view attribute) const {
    const auto given = surroundings_.names.find(resource.address);
    return given == surroundings_.names.end() ? text_at(resource.values, attribute) : given->second;
  }

  void add_keyspace(const Resource& resource) {
    KeyspacesResource made;
    made.kind = Kind::keyspace;
    made.id = resource.address;
    made.name = name_of(resource, "name");
    made.place = resource.place;
    set_replication(resource.values, made.create);
    set_keyspaces_tags(resource.values, made.create);
    by_address_.add(resource.address);
    names_.push_back(made.name);
    add_keyspaces_resource(std::move(made), to_);
  }

  void add_table_of_keyspace(const Resource& resource) {
    KeyspacesResource made;
    made.kind = Kind::table;
    made.id = resource.address;
    made.keyspace = keyspace_of(resource);
    made.name = name_of(resource, "table_name");
    made.place = resource.place;
    made.create = create_of_table(resource.values);
    set_keyspaces_tags(resource.values, made.create);
    add_keyspaces_resource(std::move(made), to_);
  }

  std::string keyspace_of(const Resource& table) const {
    std::string name = text_at(table.values, "keyspace_name");
    const auto references = table.references.find("keyspace_name");
    if (!name.empty() || references == table.references.end()) return name;
    for (const std::string& reference : references->second) {
      if (const auto found = by_address_.find(reference, table.address)) return names_[*found];
    }
    return {};
  }

  const std::vector<Resource>& resources_;
  const Surroundings& surroundings_;
  Definitions& to_;
  AddressIndex by_address_;
  std::vector<std::string> names_;  ///< of keyspaces, by position
};

}  // namespace

void add_keyspaces_of_resources(const std::vector<Resource>& resources, const Surroundings& surroundings,
                                Definitions& to) {
  KeyspacesResources(resources, surroundings, to).read();
}

}  // namespace dinette::definitions
