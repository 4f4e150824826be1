#include <utility>

#include "app/tables/members.h"
#include "app/tables/show/node_text.h"
#include "app/tables/show/show_tables.h"

namespace dinette::app {
namespace {

using definitions::Node;
using definitions::TableDefinition;

/// Streams and encryption have other members than in CreateTable.
void rename_members(Node& properties) {
  if (Node* const stream = properties.find("StreamSpecification")) {
    if (is_true(stream->find("StreamEnabled"))) {
      stream->erase("StreamEnabled");
    } else {
      properties.erase("StreamSpecification");
    }
  }
  if (Node* const encryption = properties.find("SSESpecification")) {
    if (const Node* const enabled = encryption->find("Enabled")) {
      encryption->set("SSEEnabled", *enabled);
      encryption->erase("Enabled");
    }
  }
  if (const Node* const policy = properties.find("ResourcePolicy"))
    properties.set("ResourcePolicy", Node::map({{"PolicyDocument", *policy}}));
}

}  // namespace

ShownTables as_cloudformation(const std::vector<TableDefinition>& tables) {
  ShownTables shown;
  shown.text = "AWSTemplateFormatVersion: \"2010-09-09\"\nResources:\n";
  const auto ids = resource_names(tables, 0);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Node properties = whole_table(tables[i]);
    rename_members(properties);
    const Node resource =
        Node::map({{"Type", Node::text("AWS::DynamoDB::Table")}, {"Properties", std::move(properties)}});
    shown.text += yaml_lines(Node::map({{ids[i], resource}}), 2);
    if (!tables[i].items.empty()) shown.left_out.push_back(left_out_of(tables[i], "its items"));
    for (const auto& follow_up : other_follow_ups(tables[i]))
      shown.left_out.push_back(left_out_of(tables[i], follow_up.operation));
  }
  return shown;
}

}  // namespace dinette::app
