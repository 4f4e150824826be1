#include "table_resource.h"

#include <algorithm>
#include <utility>

#include "../follow_ups.h"
#include "../node_members.h"

namespace dinette::definitions {
namespace {

Node key_element(const Node& name, std::string_view type) {
  Node element;
  element.set("AttributeName", name);
  element.set("KeyType", Node::text(std::string(type)));
  return element;
}

void append_key(const Node& values, std::string_view attribute, std::string_view type, Node& schema) {
  if (is_set_at(values, attribute)) schema.append(key_element(*values.find(attribute), type));
}

Node key_schema(const Node& hash_key_of, const Node& range_key_of) {
  Node schema = Node::list();
  append_key(hash_key_of, "hash_key", "HASH", schema);
  append_key(range_key_of, "range_key", "RANGE", schema);
  return schema;
}

/// Returns the keys of a global index: blocks of provider 6, or the two attributes of before.
Node index_key_schema(const Node& index) {
  if (!is_set_at(index, "key_schema")) return key_schema(index, index);
  Node schema = Node::list();
  for (const Node& key : index.find("key_schema")->elements()) {
    Node element;
    copy_member(key, "attribute_name", element, "AttributeName");
    copy_member(key, "key_type", element, "KeyType");
    schema.append(std::move(element));
  }
  return schema;
}

Node projection_of(const Node& values) {
  Node projection;
  copy_member(values, "projection_type", projection, "ProjectionType");
  copy_member(values, "non_key_attributes", projection, "NonKeyAttributes");
  return projection;
}

/// Copies those of two units that say something: states have 0 and -1 for what is not set.
void copy_units(const Node* from, std::string_view read, std::string_view write, std::string_view as,
                std::string_view read_as, std::string_view write_as, Node& to) {
  if (from == nullptr) return;
  Node units;
  if (is_positive_at(*from, read)) units.set(read_as, *from->find(read));
  if (is_positive_at(*from, write)) units.set(write_as, *from->find(write));
  if (!units.is_null()) to.set(as, std::move(units));
}

void copy_other_throughput(const Node& values, Node& to) {
  copy_units(block_of(values, "on_demand_throughput"), "max_read_request_units", "max_write_request_units",
             "OnDemandThroughput", "MaxReadRequestUnits", "MaxWriteRequestUnits", to);
  copy_units(block_of(values, "warm_throughput"), "read_units_per_second", "write_units_per_second",
             "WarmThroughput", "ReadUnitsPerSecond", "WriteUnitsPerSecond", to);
}

void copy_capacity(const Node& values, bool on_demand, Node& to) {
  if (!on_demand)
    copy_units(&values, "read_capacity", "write_capacity", "ProvisionedThroughput", "ReadCapacityUnits",
               "WriteCapacityUnits", to);
  copy_other_throughput(values, to);
}

bool is_on_demand(const Node& table_values) {
  return text_at(table_values, "billing_mode") == "PAY_PER_REQUEST";
}

Node global_indexes(const Node& values) {
  Node indexes = Node::list();
  if (!is_set_at(values, "global_secondary_index")) return indexes;
  for (const Node& from : values.find("global_secondary_index")->elements()) {
    Node index;
    copy_member(from, "name", index, "IndexName");
    index.set("KeySchema", index_key_schema(from));
    index.set("Projection", projection_of(from));
    copy_capacity(from, is_on_demand(values), index);
    indexes.append(std::move(index));
  }
  return indexes;
}

Node local_indexes(const Node& values) {
  Node indexes = Node::list();
  if (!is_set_at(values, "local_secondary_index")) return indexes;
  for (const Node& from : values.find("local_secondary_index")->elements()) {
    Node index;
    copy_member(from, "name", index, "IndexName");
    index.set("KeySchema", key_schema(values, from));
    index.set("Projection", projection_of(from));
    indexes.append(std::move(index));
  }
  return indexes;
}

Node attribute_definition(const Node& from, std::string_view name, std::string_view type) {
  Node definition;
  copy_member(from, name, definition, "AttributeName");
  copy_member(from, type, definition, "AttributeType");
  return definition;
}

Node attribute_definitions(const Node& values) {
  Node definitions = Node::list();
  if (const Node* const attributes = values.find("attribute")) {
    for (const Node& attribute : attributes->elements()) {
      definitions.append(attribute_definition(attribute, "name", "type"));
    }
  }
  return definitions;
}

void set_stream(const Node& values, Node& create) {
  if (text_at(values, "stream_enabled") != "true") return;
  Node stream;
  stream.set("StreamEnabled", Node::boolean(true));
  copy_member(values, "stream_view_type", stream, "StreamViewType");
  create.set("StreamSpecification", std::move(stream));
}

void set_encryption(const Node& values, Node& create) {
  const Node* const block = block_of(values, "server_side_encryption");
  if (block == nullptr || text_at(*block, "enabled") != "true") return;
  Node encryption;
  encryption.set("Enabled", Node::boolean(true));
  if (is_set_at(*block, "kms_key_arn")) {
    encryption.set("SSEType", Node::text("KMS"));
    encryption.set("KMSMasterKeyId", *block->find("kms_key_arn"));
  }
  create.set("SSESpecification", std::move(encryption));
}

void set_tags(const Node& values, Node& create) {
  const Node* const all = block_of(values, "tags_all");
  const Node* const tags = all != nullptr && !all->members().empty() ? all : block_of(values, "tags");
  if (tags == nullptr) return;
  Node list = Node::list();
  for (const Node::Member& member : tags->members()) {
    if (member.value.is_null()) continue;
    list.append(Node::map({{"Key", Node::text(member.key)}, {"Value", member.value}}));
  }
  create.set("Tags", std::move(list));
}

void add_follow_ups(const Node& values, TableDefinition& table) {
  if (const Node* const ttl = block_of(values, "ttl");
      ttl != nullptr && text_at(*ttl, "enabled") == "true" && is_set_at(*ttl, "attribute_name"))
    enable_time_to_live(*ttl->find("attribute_name"), table);
  if (const Node* const recovery = block_of(values, "point_in_time_recovery");
      recovery != nullptr && text_at(*recovery, "enabled") == "true")
    enable_recovery(is_positive_at(*recovery, "recovery_period_in_days")
                        ? *recovery->find("recovery_period_in_days")
                        : Node(),
                    table);
}

void warn_of_left_out(const Node& values, const TableDefinition& table, Definitions& to) {
  if (is_set_at(values, "replica")) warn_of_table(table, "its replicas are left out", to);
  if (is_set_at(values, "import_table")) warn_of_table(table, "its import is left out, so it is empty", to);
  if (is_set_at(values, "restore_source_name") || is_set_at(values, "restore_source_table_arn") ||
      is_set_at(values, "restore_backup_arn"))
    warn_of_table(table, "from what it is restored is left out, so it is empty", to);
}

Node create_input_of_resource(const Node& values) {
  Node create;
  create.set("KeySchema", key_schema(values, values));
  create.set("AttributeDefinitions", attribute_definitions(values));
  if (is_on_demand(values)) create.set("BillingMode", Node::text("PAY_PER_REQUEST"));
  copy_capacity(values, is_on_demand(values), create);
  create.set("GlobalSecondaryIndexes", global_indexes(values));
  create.set("LocalSecondaryIndexes", local_indexes(values));
  set_stream(values, create);
  set_encryption(values, create);
  copy_member(values, "table_class", create, "TableClass");
  copy_member(values, "deletion_protection_enabled", create, "DeletionProtectionEnabled");
  set_tags(values, create);
  return create;
}

/// Adds a definition that the table does not have.
void define_attribute(Node definition, Node& create) {
  Node* const definitions = create.find("AttributeDefinitions");
  if (definitions != nullptr &&
      std::ranges::find(definitions->elements(), definition) == definitions->elements().end())
    definitions->append(std::move(definition));
}

}  // namespace

std::optional<TableDefinition> table_of_resource(const Resource& resource, std::string_view name,
                                                 Definitions& to) {
  TableDefinition table;
  table.id = resource.address;
  table.place = resource.place;
  table.name = name.empty() ? text_at(resource.values, "name") : std::string(name);
  if (table.name.empty()) {
    to.errors.push_back({table.place, table.id + ": its name is known only when it is made; give it one by " +
                                          "--name, or read the state: terraform show -json"});
    return {};
  }
  table.create = create_input_of_resource(resource.values);
  add_follow_ups(resource.values, table);
  warn_of_left_out(resource.values, table, to);
  return table;
}

void add_index_resource(const Node& values, TableDefinition& table) {
  Node index;
  copy_member(values, "index_name", index, "IndexName");
  index.set("KeySchema", index_key_schema(values));
  if (const Node* const projection = block_of(values, "projection"))
    index.set("Projection", projection_of(*projection));
  if (text_at(table.create, "BillingMode") != "PAY_PER_REQUEST")
    copy_units(block_of(values, "provisioned_throughput"), "read_capacity_units", "write_capacity_units",
               "ProvisionedThroughput", "ReadCapacityUnits", "WriteCapacityUnits", index);
  copy_other_throughput(values, index);
  table.create.find("GlobalSecondaryIndexes")->append(std::move(index));
  if (const Node* const keys = values.find("key_schema")) {
    for (const Node& key : keys->elements()) {
      if (is_set_at(key, "attribute_type"))
        define_attribute(attribute_definition(key, "attribute_name", "attribute_type"), table.create);
    }
  }
}

}  // namespace dinette::definitions
