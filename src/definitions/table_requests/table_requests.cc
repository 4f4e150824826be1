#include "table_requests.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../attribute_values.h"
#include "../follow_ups.h"
#include "../members.h"
#include "../node_members.h"
#include "description.h"
#include "template_members.h"

namespace dinette::definitions {
namespace {

/// Returns the table that a value is or contains; null if there is none.
const Node* table_in(const Node& value) {
  for (const std::string_view wrapper : {"Table", "TableDescription"}) {
    const Node* const table = value.find(wrapper);
    if (table != nullptr && table->has("KeySchema")) return table;
  }
  return value.has("TableName") && value.has("KeySchema") ? &value : nullptr;
}

/// Returns the list in which a file has its tables; null if it is no list.
const Node* list_of_tables(const Node& root) {
  if (root.is_list()) return &root;
  for (const std::string_view member : {"tables", "Tables"}) {
    const Node* const list = root.find(member);
    if (list != nullptr && list->is_list()) return list;
  }
  return nullptr;
}

bool has_tables(const Node& root) {
  if (table_in(root) != nullptr) return true;
  const Node* const list = list_of_tables(root);
  return list != nullptr &&
         std::ranges::any_of(list->elements(), [](const Node& node) { return table_in(node) != nullptr; });
}

void drop_unknown_members(TableDefinition& table, Definitions& to) {
  constexpr std::array<std::string_view, 16> known = {"TableName",
                                                      "KeySchema",
                                                      "AttributeDefinitions",
                                                      "BillingMode",
                                                      "TableClass",
                                                      "ProvisionedThroughput",
                                                      "Tags",
                                                      "StreamSpecification",
                                                      "SSESpecification",
                                                      "ResourcePolicy",
                                                      "OnDemandThroughput",
                                                      "DeletionProtectionEnabled",
                                                      "WarmThroughput",
                                                      "VectorIndexes",
                                                      "LocalSecondaryIndexes",
                                                      "GlobalSecondaryIndexes"};
  std::erase_if(table.create.members(), [&](const Node::Member& member) {
    const bool drop = std::ranges::find(known, member.key) == known.end();
    if (drop) warn_of_table(table, '"' + member.key + "\" is left out", to);
    return drop;
  });
}

/// Takes the plain items that the configuration of jest-dynalite has next to a table.
void take_items(TableDefinition& table) {
  const Node* const items = table.create.find("data");
  if (items == nullptr || !items->is_list()) return;
  for (const Node& item : items->elements()) {
    if (item.is_map()) table.items.push_back(attribute_values(item));
  }
  table.create.erase("data");
}

constexpr std::size_t most_tables = 10'000;  // as many as an account can have

class RequestReader {
 public:
  explicit RequestReader(Definitions& to) : to_(to) {}

  void add(const Node& table) {
    TableDefinition definition;
    definition.place = table.place();
    definition.name = text_at(table, "TableName");
    if (is_description(table)) {
      described(table, definition);
    } else {
      definition.create = table;
      take_items(definition);
      move_template_members(definition);
      drop_unknown_members(definition, to_);
    }
    add_table(std::move(definition), to_);
  }

  /// Says what DescribeTable does not tell.
  void finish() {
    if (described_.empty()) return;
    to_.warnings.push_back(
        {first_described_,
         "output of DescribeTable has no time to live, point-in-time recovery and tags, so these tables have "
         "none: " +
             described_});
  }

 private:
  void described(const Node& table, TableDefinition& definition) {
    definition.create = create_input_of(table);
    if (is_set_at(table, "Replicas")) warn_of_table(definition, "its replicas are left out", to_);
    if (is_set_at(table, "RestoreSummary"))
      warn_of_table(definition, "from what it was restored is left out", to_);
    if (described_.empty()) first_described_ = table.place();
    described_ += (described_.empty() ? "\"" : ", \"") + definition.name + '"';
  }

  Definitions& to_;
  std::string described_;
  Place first_described_;
};

void read_table_requests(const Node& root, const Input&, Definitions& to) {
  RequestReader reader(to);
  if (const Node* const table = table_in(root)) {
    reader.add(*table);
  } else {
    std::size_t position = 0;
    for (const Node& element : list_of_tables(root)->elements()) {
      if (++position > most_tables) {
        to.errors.push_back(
            {element.place(), "there are more than " + std::to_string(most_tables) + " tables"});
        break;
      }
      if (const Node* const table_element = table_in(element)) {
        reader.add(*table_element);
      } else {
        to.errors.push_back(
            {element.place(), "element " + std::to_string(position) +
                                  " is no table: it has no TableName and KeySchema, and no Table"});
      }
    }
  }
  reader.finish();
}

}  // namespace

constinit const Format table_requests_format = {"input of CreateTable or output of DescribeTable", has_tables,
                                                read_table_requests};

}  // namespace dinette::definitions
