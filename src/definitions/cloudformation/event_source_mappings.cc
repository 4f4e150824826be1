#include "event_source_mappings.h"

#include <utility>

#include "definitions/members.h"
#include "definitions/node_members.h"
#include "resource_types.h"

namespace dinette::definitions::cloudformation {
namespace {

/// Templates have a list of tags where Lambda has a map, another spelling of a key's name, and in SAM the
/// type of a destination, which its ARN says.
void use_names_of_lambda(Node& settings) {
  if (const Node* const tags = settings.find("Tags")) {
    Node map = Node::map();
    for (const Node& tag : tags->elements()) map.set(text_at(tag, "Key"), Node::text(text_at(tag, "Value")));
    settings.set("Tags", std::move(map));
  }
  copy_member(settings, "KmsKeyArn", settings, "KMSKeyArn");
  settings.erase("KmsKeyArn");
  if (Node* const destinations = settings.find("DestinationConfig")) {
    if (Node* const on_failure = destinations->find("OnFailure")) on_failure->erase("Type");
  }
}

}  // namespace

void add_event_source_mapping(EventSourceMapping mapping, const std::set<std::string>& refused,
                              Definitions& to) {
  const std::string table(table_of_stream_arn(mapping.source));
  if (table.empty() || refused.contains(table)) return;
  const auto found = to.positions.find(table);
  if (found == to.positions.end()) {
    to.warnings.push_back({mapping.place, "trigger \"" + mapping.id + "\" is left out: its table \"" + table +
                                              "\" is not defined here"});
  } else if (!to.tables[found->second].create.has("StreamSpecification")) {
    to.errors.push_back({mapping.place, "trigger \"" + mapping.id + "\": table \"" + table +
                                            "\" has no StreamSpecification"});
  } else if (convert_members(mapping.settings, table, to)) {
    use_names_of_lambda(mapping.settings);
    to.triggers.push_back({std::move(mapping.id), table, std::move(mapping.function),
                           std::move(mapping.settings), std::move(mapping.place)});
  }
}

}  // namespace dinette::definitions::cloudformation
