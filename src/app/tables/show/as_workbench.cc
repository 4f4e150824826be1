#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/tables/members.h"
#include "app/tables/show/node_text.h"
#include "app/tables/show/show_tables.h"

namespace dinette::app {
namespace {

using definitions::Node;
using definitions::TableDefinition;

/// Returns the keys as a model has them; nothing if there are more than one of a kind.
std::optional<Node> key_attributes(const Node& table, const Node* key_schema) {
  Node made;
  for (const Node& element : elements_of(key_schema)) {
    const auto name = scalar_of(element.find("AttributeName"));
    const std::string_view kind = scalar_of(element.find("KeyType")) == "HASH" ? "PartitionKey" : "SortKey";
    if (made.has(kind)) return std::nullopt;
    const Node* const attribute = element_named(table.find("AttributeDefinitions"), "AttributeName", name);
    made.set(kind, Node::map({{"AttributeName", Node::text(std::string(name))},
                              {"AttributeType",
                               Node::text(std::string(scalar_of(
                                   attribute == nullptr ? nullptr : attribute->find("AttributeType"))))}}));
  }
  return made;
}

class ModelOfTable {
 public:
  ModelOfTable(const TableDefinition& table, std::vector<std::string>& left_out)
      : table_(table), whole_(whole_table(table)), left_out_(left_out) {}

  Node run() {
    Node made = Node::map({{"TableName", Node::text(table_.name)}});
    made.set("KeyAttributes", key_attributes(whole_, whole_.find("KeySchema")).value_or(Node::map()));
    made.set("NonKeyAttributes", Node::list());
    made.set("TableData", Node::list(table_.items));
    if (Node indexes = global_indexes(); !indexes.elements().empty())
      made.set("GlobalSecondaryIndexes", std::move(indexes));
    made.set("DataAccess", Node::map({{"MySql", Node::map()}}));
    made.set("BillingMode", Node::text(is_on_demand() ? "PAY_PER_REQUEST" : "PROVISIONED"));
    if (const Node* const throughput = whole_.find("ProvisionedThroughput"); throughput && !is_on_demand())
      made.set("ProvisionedCapacitySettings", Node::map({{"ProvisionedThroughput", *throughput}}));
    note_what_is_left_out();
    return made;
  }

 private:
  bool is_on_demand() const { return scalar_of(whole_.find("BillingMode")) == "PAY_PER_REQUEST"; }

  Node global_indexes() {
    Node indexes = Node::list();
    for (const Node& index : elements_of(whole_.find("GlobalSecondaryIndexes"))) {
      const std::string name(scalar_of(index.find("IndexName")));
      auto keys = key_attributes(whole_, index.find("KeySchema"));
      if (!keys) {
        left_out_.push_back(left_out_of(table_, "the index " + name + ", whose key has several attributes,"));
        continue;
      }
      Node made = Node::map({{"IndexName", Node::text(name)}, {"KeyAttributes", *std::move(keys)}});
      if (const Node* const projection = index.find("Projection")) made.set("Projection", *projection);
      indexes.append(std::move(made));
    }
    return indexes;
  }

  void note_what_is_left_out() {
    for (const Node::Member& member : whole_.members()) {
      constexpr std::array<std::string_view, 6> known{"TableName",
                                                      "KeySchema",
                                                      "AttributeDefinitions",
                                                      "BillingMode",
                                                      "ProvisionedThroughput",
                                                      "GlobalSecondaryIndexes"};
      if (std::ranges::find(known, member.key) == known.end())
        left_out_.push_back(left_out_of(table_, member.key));
    }
    for (const auto& follow_up : other_follow_ups(table_))
      left_out_.push_back(left_out_of(table_, follow_up.operation));
  }

  const TableDefinition& table_;
  const Node whole_;
  std::vector<std::string>& left_out_;
};

}  // namespace

ShownTables as_workbench(const std::vector<TableDefinition>& tables) {
  ShownTables shown;
  std::vector<Node> models;
  for (const TableDefinition& table : tables) models.push_back(ModelOfTable(table, shown.left_out).run());
  const Node model = Node::map({{"ModelName", Node::text("Tables")},
                                {"ModelMetadata", Node::map({{"Author", Node::text("")},
                                                             {"Description", Node::text("")},
                                                             {"AWSService", Node::text("Amazon DynamoDB")},
                                                             {"Version", Node::text("3.0")}})},
                                {"DataModel", Node::list(std::move(models))}});
  shown.text = json_lines(model) + "\n";
  return shown;
}

}  // namespace dinette::app
