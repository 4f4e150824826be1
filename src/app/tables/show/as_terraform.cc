#include <algorithm>
#include <string>
#include <utility>

#include "app/tables/members.h"
#include "app/tables/normal_form.h"
#include "app/tables/show/hcl_block.h"
#include "app/tables/show/node_text.h"
#include "app/tables/show/show_tables.h"

namespace dinette::app {
namespace {

using definitions::Node;
using definitions::TableDefinition;

std::string expression_of(const Node& value) {
  if (value.is_text()) return hcl_text(value.scalar());
  if (!value.is_list()) return value.scalar();
  std::string text;
  for (const Node& element : value.elements()) text += (text.empty() ? "" : ", ") + expression_of(element);
  return "[" + text + "]";
}

void set_if_there(HclBlock& block, std::string name, const Node* value) {
  if (value != nullptr) block.set(std::move(name), expression_of(*value));
}

bool has_several(const Node& index, std::string_view key_type) {
  return std::ranges::count_if(elements_of(index.find("KeySchema")), [&](const Node& element) {
           return scalar_of(element.find("KeyType")) == key_type;
         }) > 1;
}

/// Sets hash_key and range_key.
void set_keys(HclBlock& block, const Node& of) {
  const Node* const keys = of.find("KeySchema");
  for (const auto& [type, name] : {std::pair("HASH", "hash_key"), std::pair("RANGE", "range_key")}) {
    if (const Node* const key = element_named(keys, "KeyType", type))
      set_if_there(block, name, key->find("AttributeName"));
  }
}

void set_throughput(HclBlock& block, const Node& of) {
  const Node* const throughput = of.find("ProvisionedThroughput");
  if (throughput == nullptr) return;
  set_if_there(block, "read_capacity", throughput->find("ReadCapacityUnits"));
  set_if_there(block, "write_capacity", throughput->find("WriteCapacityUnits"));
}

void add_limits(HclBlock& block, const Node& of) {
  const Node* const limits = of.find("OnDemandThroughput");
  if (limits == nullptr) return;
  HclBlock& made = block.add("on_demand_throughput");
  set_if_there(made, "max_read_request_units", limits->find("MaxReadRequestUnits"));
  set_if_there(made, "max_write_request_units", limits->find("MaxWriteRequestUnits"));
}

void set_projection(HclBlock& block, const Node& index) {
  const Node* const projection = index.find("Projection");
  if (projection == nullptr) return;
  set_if_there(block, "projection_type", projection->find("ProjectionType"));
  set_if_there(block, "non_key_attributes", projection->find("NonKeyAttributes"));
}

void add_global_index(HclBlock& resource, const Node& index) {
  HclBlock& made = resource.add("global_secondary_index");
  set_if_there(made, "name", index.find("IndexName"));
  const bool has_long_key = has_several(index, "HASH") || has_several(index, "RANGE");
  if (!has_long_key) set_keys(made, index);
  set_projection(made, index);
  set_throughput(made, index);
  if (has_long_key) {
    for (const Node& element : elements_of(index.find("KeySchema"))) {
      HclBlock& key = made.add("key_schema");
      set_if_there(key, "attribute_name", element.find("AttributeName"));
      set_if_there(key, "key_type", element.find("KeyType"));
    }
  }
  add_limits(made, index);
}

void add_local_index(HclBlock& resource, const Node& index) {
  HclBlock& made = resource.add("local_secondary_index");
  set_if_there(made, "name", index.find("IndexName"));
  if (const Node* const key = element_named(index.find("KeySchema"), "KeyType", "RANGE"))
    set_if_there(made, "range_key", key->find("AttributeName"));
  set_projection(made, index);
}

void add_switched(HclBlock& resource, std::string name, const Node* specification, std::string member_name,
                  std::string_view member) {
  if (specification == nullptr) return;
  HclBlock& made = resource.add(std::move(name));
  made.set("enabled", "true");
  set_if_there(made, std::move(member_name), specification->find(member));
}

/// `table`: in its normal form, in which what is off is not there.
HclBlock resource_of(const Node& table, const std::string& label) {
  HclBlock resource("resource \"aws_dynamodb_table\" \"" + label + "\"");
  set_if_there(resource, "name", table.find("TableName"));
  set_if_there(resource, "billing_mode", table.find("BillingMode"));
  set_throughput(resource, table);
  set_keys(resource, table);
  set_if_there(resource, "table_class", table.find("TableClass"));
  set_if_there(resource, "deletion_protection_enabled", table.find("DeletionProtectionEnabled"));
  if (const Node* const stream = table.find("StreamSpecification")) {
    resource.set("stream_enabled", "true");
    set_if_there(resource, "stream_view_type", stream->find("StreamViewType"));
  }
  for (const Node& attribute : elements_of(table.find("AttributeDefinitions"))) {
    HclBlock& made = resource.add("attribute");
    set_if_there(made, "name", attribute.find("AttributeName"));
    set_if_there(made, "type", attribute.find("AttributeType"));
  }
  for (const Node& index : elements_of(table.find("GlobalSecondaryIndexes")))
    add_global_index(resource, index);
  for (const Node& index : elements_of(table.find("LocalSecondaryIndexes"))) add_local_index(resource, index);
  add_limits(resource, table);
  add_switched(resource, "ttl", table.find("TimeToLiveSpecification"), "attribute_name", "AttributeName");
  add_switched(resource, "point_in_time_recovery", table.find("PointInTimeRecoverySpecification"),
               "recovery_period_in_days", "RecoveryPeriodInDays");
  add_switched(resource, "server_side_encryption", table.find("SSESpecification"), "kms_key_arn",
               "KMSMasterKeyId");
  std::vector<std::pair<std::string, std::string>> tags;
  for (const Node& tag : elements_of(table.find("Tags")))
    tags.emplace_back(scalar_of(tag.find("Key")), scalar_of(tag.find("Value")));
  if (!tags.empty()) resource.set_map("tags", std::move(tags));
  return resource;
}

HclBlock resource_of_item(const Node& item, const Node& table, const std::string& table_label,
                          std::size_t number) {
  HclBlock resource("resource \"aws_dynamodb_table_item\" \"" + table_label + "_" + std::to_string(number) +
                    "\"");
  const std::string address = "aws_dynamodb_table." + table_label;
  resource.set("table_name", address + ".name");
  resource.set("hash_key", address + ".hash_key");
  if (element_named(table.find("KeySchema"), "KeyType", "RANGE") != nullptr)
    resource.set("range_key", address + ".range_key");
  resource.set("item", hcl_text(definitions::to_json(item)));
  return resource;
}

/// Notes what the resource of a table has no attribute for.
void note_the_rest(const TableDefinition& table, std::vector<std::string>& left_out) {
  for (const char* const member : {"ResourcePolicy", "WarmThroughput", "VectorIndexes"}) {
    if (table.create.has(member)) left_out.push_back(left_out_of(table, member));
  }
  for (const auto& follow_up : other_follow_ups(table))
    left_out.push_back(left_out_of(table, follow_up.operation));
}

}  // namespace

ShownTables as_terraform(const std::vector<TableDefinition>& tables) {
  ShownTables shown;
  const auto labels = resource_names(tables, '_');
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const TableDefinition& table = tables[i];
    if (!shown.text.empty()) shown.text += "\n";
    shown.text += resource_of(normal_form(table), labels[i]).text();
    std::size_t number = 0;
    for (const Node& item : table.items)
      shown.text += "\n" + resource_of_item(item, table.create, labels[i], ++number).text();
    note_the_rest(table, shown.left_out);
  }
  return shown;
}

}  // namespace dinette::app
