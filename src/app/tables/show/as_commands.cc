#include <string>
#include <utility>

#include "dinette/base/ascii.h"

#include "app/shell_word.h"
#include "app/tables/members.h"
#include "app/tables/show/node_text.h"
#include "app/tables/show/show_tables.h"

namespace dinette::app {
namespace {

using definitions::FollowUp;
using definitions::Node;
using definitions::TableDefinition;

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

/// Returns "SSESpecification" as sse-specification, as the AWS CLI spells operations and members.
std::string with_dashes(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins_word = is_capital(name[i]) && i > 0 &&
                             (!is_capital(name[i - 1]) || (i + 1 < name.size() && !is_capital(name[i + 1])));
    if (begins_word) text += '-';
    text += base::to_lower(name[i]);
  }
  return text;
}

std::string option_of(const Node::Member& member) {
  const std::string name = with_dashes(member.key);
  if (member.value.kind() == Node::Kind::boolean) return (is_true(&member.value) ? "--" : "--no-") + name;
  return "--" + name + " " +
         shell_word(member.value.is_scalar() ? member.value.scalar() : definitions::to_json(member.value));
}

std::string command_of(std::string_view operation, const Node& input) {
  std::string text = "aws dynamodb " + with_dashes(operation);
  for (const Node::Member& member : input.members()) text += " \\\n  " + option_of(member);
  return text + "\n";
}

/// Returns an input with the name of the table, and that first.
Node named(const TableDefinition& table, const Node& input) {
  Node all = Node::map({{"TableName", Node::text(table.name)}});
  for (const Node::Member& member : input.members()) all.set(member.key, member.value);
  return all;
}

std::string commands_of(const TableDefinition& table, std::vector<std::string>& left_out) {
  std::string text = command_of("CreateTable", named(table, table.create)) +
                     "aws dynamodb wait table-exists --table-name " + shell_word(table.name) + "\n";
  for (const Node& item : table.items) {
    text += command_of("PutItem", named(table, Node::map({{"Item", item}})));
  }
  for (const FollowUp& follow_up : table.follow_ups) {
    if (follow_up.operation == "PutResourcePolicy") {  // of a stream, whose ARN is not known yet
      left_out.push_back(left_out_of(table, follow_up.operation));
      continue;
    }
    text += command_of(follow_up.operation, named(table, follow_up.input));
  }
  return text;
}

}  // namespace

ShownTables as_commands(const std::vector<TableDefinition>& tables) {
  ShownTables shown;
  for (const TableDefinition& table : tables) {
    if (!shown.text.empty()) shown.text += "\n";
    shown.text += commands_of(table, shown.left_out);
  }
  return shown;
}

}  // namespace dinette::app
