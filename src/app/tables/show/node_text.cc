#include "app/tables/show/node_text.h"

#include <algorithm>
#include <array>
#include <set>

#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

using definitions::Node;
using definitions::TableDefinition;

constexpr std::size_t indent = 2;

// What some version of YAML reads as a boolean or null.
constexpr std::array<std::string_view, 10> words_of_yaml{"true", "false", "yes", "no",   "on",
                                                         "off",  "y",     "n",   "null", "~"};

bool is_plain_in_yaml(std::string_view text) {
  if (text.empty() || !base::is_letter(text.front())) return false;
  if (!std::ranges::all_of(
          text, [](char c) { return base::is_word_character(c) || c == '-' || c == '.' || c == '/'; }))
    return false;
  return std::ranges::none_of(
      words_of_yaml, [text](std::string_view word) { return base::equal_ignoring_case(word, text); });
}

bool is_block(const Node& node) {
  return !node.members().empty() || !node.elements().empty();
}

std::string yaml_value(const Node& node) {
  return node.is_text() ? yaml_text(node.scalar()) : definitions::to_json(node);
}

void append_yaml(const Node& node, std::size_t column, std::string& to);

/// Appends the elements of a list; a map begins next to its dash.
void append_elements_as_yaml(const Node& list, std::size_t column, std::string& to) {
  for (const Node& element : list.elements()) {
    to.append(column, ' ').append("- ");
    if (is_block(element)) {
      std::string lines;
      append_yaml(element, column + indent, lines);
      to += lines.substr(column + indent);
    } else {
      to += yaml_value(element) + "\n";
    }
  }
}

void append_yaml(const Node& node, std::size_t column, std::string& to) {
  if (node.is_list()) return append_elements_as_yaml(node, column, to);
  for (const Node::Member& member : node.members()) {
    to.append(column, ' ').append(yaml_text(member.key)).append(":");
    if (is_block(member.value)) {
      to += "\n";
      append_yaml(member.value, column + indent, to);
    } else {
      to += " " + yaml_value(member.value) + "\n";
    }
  }
}

std::string resource_name(std::string_view id, char other) {
  std::string name;
  for (const char c : id) {
    if (base::is_letter(c) || base::is_digit(c)) {
      name += c;
    } else if (other != 0) {
      name += other;
    }
  }
  return name.empty() || !base::is_letter(name.front()) ? "Table" + name : name;
}

}  // namespace

std::string json_lines(const Node& node, std::size_t column) {
  if (!is_block(node)) return definitions::to_json(node);
  const std::string line = "\n" + std::string(column + indent, ' ');
  std::string text;
  for (const Node& element : node.elements())
    text += (text.empty() ? "[" : ",") + line + json_lines(element, column + indent);
  for (const Node::Member& member : node.members())
    text += (text.empty() ? "{" : ",") + line + definitions::to_json(Node::text(member.key)) + ": " +
            json_lines(member.value, column + indent);
  return text + "\n" + std::string(column, ' ') + (node.is_list() ? "]" : "}");
}

std::string yaml_lines(const Node& node, std::size_t column) {
  std::string text;
  append_yaml(node, column, text);
  return text;
}

std::string yaml_text(std::string_view text) {
  // YAML reads the quoted texts of JSON as JSON does.
  return is_plain_in_yaml(text) ? std::string(text) : definitions::to_json(Node::text(std::string(text)));
}

std::vector<std::string> resource_names(const std::vector<TableDefinition>& tables, char other) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const TableDefinition& table : tables) {
    const std::string wanted = resource_name(table.id, other);
    std::string name = wanted;
    for (int number = 2; !taken.insert(name).second; ++number) name = wanted + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

std::string left_out_of(const TableDefinition& table, std::string_view part) {
  return "the table " + table.name + ": " + std::string(part) + " cannot be written in this format";
}

}  // namespace dinette::app
