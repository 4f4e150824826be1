#include "workbench.h"

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../attribute_values.h"
#include "../follow_ups.h"
#include "../members.h"
#include "../node_members.h"

namespace dinette::definitions {
namespace {

/// A key of the model as KeySchema of a request; what it says of types goes to `definitions`.
class KeyAttributes {
 public:
  Node key_schema(const Node& table_or_index) {
    Node schema = Node::list();
    if (const Node* const keys = table_or_index.find("KeyAttributes")) {
      add(*keys, "PartitionKey", "HASH", schema);
      add(*keys, "SortKey", "RANGE", schema);
    }
    return schema;
  }
  Node take_definitions() { return std::move(definitions_); }

 private:
  void add(const Node& keys, std::string_view member, std::string_view type, Node& schema) {
    const Node* const key = keys.find(member);
    if (key == nullptr || !is_set_at(*key, "AttributeName")) return;
    Node element;
    element.set("AttributeName", *key->find("AttributeName"));
    element.set("KeyType", Node::text(std::string(type)));
    schema.append(std::move(element));
    if (seen_.insert(text_at(*key, "AttributeName") + '\n' + text_at(*key, "AttributeType")).second)
      define(*key);
  }

  void define(const Node& key) {
    Node definition;
    definition.set_place(key.place());
    copy_member(key, "AttributeName", definition, "AttributeName");
    copy_member(key, "AttributeType", definition, "AttributeType");
    definitions_.append(std::move(definition));
  }

  Node definitions_ = Node::list();
  std::unordered_set<std::string> seen_;
};

/// The items of a table, each key once.
class ModelItems {
 public:
  explicit ModelItems(TableDefinition& table) : table_(table) {}

  void add(const Node* items) {
    if (items == nullptr) return;
    for (const Node& item : items->elements()) {
      if (item.is_map() && keys_.insert(key_of(item)).second)
        table_.items.push_back(completed_item(item, converted_));
    }
  }
  bool converted() const { return converted_; }

 private:
  std::string key_of(const Node& item) const {
    Node key = Node::list();
    for (const Node& element : table_.create.find("KeySchema")->elements()) {
      const Node* const value = item.find(text_at(element, "AttributeName"));
      key.append(value == nullptr ? Node() : *value);
    }
    return to_json(key);
  }

  TableDefinition& table_;
  std::unordered_set<std::string> keys_;
  bool converted_ = false;
};

void add_items(const Node& model, TableDefinition& table, Definitions& to) {
  ModelItems items(table);
  items.add(model.find("TableData"));
  if (const Node* const facets = model.find("TableFacets")) {
    for (const Node& facet : facets->elements()) items.add(facet.find("TableData"));
  }
  if (items.converted())
    warn_of_table(table, "items have plain JSON among typed values; it is converted", to);
}

/// Returns the throughput of a provisioned table; null if it is on demand.
Node throughput_of(const Node& model, TableDefinition& table, Definitions& to) {
  if (text_at(model, "BillingMode") != "PROVISIONED") return {};
  const Node* const settings = model.find("ProvisionedCapacitySettings");
  if (settings != nullptr && (settings->has("AutoScalingRead") || settings->has("AutoScalingWrite")))
    warn_of_table(table, "autoscaling is left out", to);
  if (const Node* const units = model.find("ProvisionedCapacitySettings", "ProvisionedThroughput"))
    return *units;
  warn_of_table(table, "its throughput is not in the model; it is on demand", to);
  return {};
}

Node index_of_model(const Node& model, const Node& throughput, KeyAttributes& keys) {
  Node index;
  index.set_place(model.place());
  copy_member(model, "IndexName", index, "IndexName");
  index.set("KeySchema", keys.key_schema(model));
  copy_member(model, "Projection", index, "Projection");
  if (!throughput.is_null()) index.set("ProvisionedThroughput", throughput);
  return index;
}

void add_model(const Node& model, Definitions& to) {
  TableDefinition table;
  table.place = model.place();
  table.name = text_at(model, "TableName");
  KeyAttributes keys;
  table.create.set("KeySchema", keys.key_schema(model));
  const Node throughput = throughput_of(model, table, to);
  table.create.set("BillingMode", Node::text(throughput.is_null() ? "PAY_PER_REQUEST" : "PROVISIONED"));
  if (!throughput.is_null()) table.create.set("ProvisionedThroughput", throughput);
  Node indexes = Node::list();
  if (const Node* const models = model.find("GlobalSecondaryIndexes")) {
    for (const Node& index : models->elements()) indexes.append(index_of_model(index, throughput, keys));
  }
  table.create.set("GlobalSecondaryIndexes", std::move(indexes));
  table.create.set("AttributeDefinitions", keys.take_definitions());
  add_items(model, table, to);
  add_table(std::move(table), to);
}

bool is_model(const Node& root) {
  return root.has("ModelName") && root.has("DataModel");
}

void read_model(const Node& root, const Input&, Definitions& to) {
  const Node* const service = root.find("ModelMetadata", "AWSService");
  if (service != nullptr && !service->is_null() && service->scalar() != "Amazon DynamoDB") {
    to.errors.push_back({service->place(), "the model is for " + service->scalar() + ", not for DynamoDB"});
    return;
  }
  constexpr std::size_t most_models = 10'000;  // as many tables as an account can have
  const std::vector<Node>& models = root.find("DataModel")->elements();
  if (models.size() > most_models) {
    to.errors.push_back({root.place(), "there are more than " + std::to_string(most_models) + " tables"});
    return;
  }
  for (const Node& model : models) add_model(model, to);
}

}  // namespace

constinit const Format workbench_format = {"a model of NoSQL Workbench", is_model, read_model};

}  // namespace dinette::definitions
