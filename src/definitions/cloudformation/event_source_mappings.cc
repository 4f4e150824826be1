#include "event_source_mappings.h"

#include <utility>

#include "definitions/members.h"
#include "resource_types.h"

namespace dinette::definitions::cloudformation {

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
    to.triggers.push_back({std::move(mapping.id), table, std::move(mapping.function),
                           std::move(mapping.settings), std::move(mapping.place)});
  }
}

}  // namespace dinette::definitions::cloudformation
