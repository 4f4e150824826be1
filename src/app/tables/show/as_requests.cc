#include <utility>

#include "app/tables/members.h"
#include "app/tables/show/node_text.h"
#include "app/tables/show/show_tables.h"

namespace dinette::app {

ShownTables as_requests(const std::vector<definitions::TableDefinition>& tables) {
  ShownTables shown;
  std::vector<definitions::Node> requests;
  for (const definitions::TableDefinition& table : tables) {
    requests.push_back(whole_table(table));
    if (!table.items.empty()) shown.left_out.push_back(left_out_of(table, "its items"));
    for (const auto& follow_up : other_follow_ups(table))
      shown.left_out.push_back(left_out_of(table, follow_up.operation));
  }
  shown.text = json_lines(definitions::Node::list(std::move(requests))) + "\n";
  return shown;
}

}  // namespace dinette::app
