#include "mcp/existing_tables.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dinette/base/ascii.h"

#include "mcp/nearest_first.h"

namespace dinette::mcp {
namespace {

constexpr int most_list_depth = 8;
constexpr int most_list_pages = 10;
constexpr int names_of_list_page = 100;
constexpr std::size_t most_named = 20;

/// Adds a page of names, and returns where the next one begins; null: nowhere. Nothing on failure.
std::optional<Json> add_names(const ToolCall& call, const Json& from, std::vector<std::string>& names) {
  Json request{{"Limit", names_of_list_page}};
  if (!from.is_null()) request["ExclusiveStartTableName"] = from;
  const auto reply = call.backend.operate(call.text("world"), "ListTables", text_of(request), false);
  if (!reply) return std::nullopt;
  auto page = read_json(reply->body, most_list_depth);
  if (!page || !page->is_object() || !page->contains("TableNames")) return std::nullopt;
  for (const Json& name : (*page)["TableNames"]) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return (*page)["LastEvaluatedTableName"];
}

std::optional<std::vector<std::string>> table_names(const ToolCall& call) {
  std::vector<std::string> names;
  Json from;
  for (int pages = 0; pages < most_list_pages; ++pages) {
    const auto next = add_names(call, from, names);
    if (!next) return std::nullopt;
    if (next->is_null()) break;
    from = *next;
  }
  return names;
}

std::string table_of(const Json& request) {
  if (request.contains("TableName") && request["TableName"].is_string()) return request["TableName"];
  if (request.contains("Statement")) return table_of_statement(request["Statement"].get<std::string>());
  const auto items = request.find("RequestItems");
  return items == request.end() || items->empty() ? "" : items->begin().key();
}

bool is_name_character(char c) {
  return base::is_word_character(c) || c == '-' || c == '.';
}

/// Removes a word from the front of a text, and returns it: a name, with or without quotes, or one character.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const bool quoted = text.starts_with('"');
  if (quoted) text.remove_prefix(1);
  const auto end =
      quoted ? std::min(text.find('"'), text.size())
             : static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_character) - text.begin());
  const std::string_view word = text.substr(0, quoted ? end : std::max<std::size_t>(end, 1));
  text.remove_prefix(std::min(word.size() + (quoted ? 1 : 0), text.size()));
  return word;
}

}  // namespace

std::string table_of_statement(std::string_view statement) {
  constexpr std::array<std::string_view, 3> before_tables{"FROM", "INTO", "UPDATE"};
  while (!statement.empty()) {
    const std::string_view word = take_word(statement);
    const auto is_word = [&](std::string_view one) { return base::equal_ignoring_case(one, word); };
    if (std::ranges::any_of(before_tables, is_word)) return std::string(take_word(statement));
  }
  return "";
}

std::string existing_tables(const ToolCall& call, const Json& request) {
  auto names = table_names(call);
  if (!names) return "";
  if (names->empty()) return " There are no tables.";
  const std::string given = table_of(request);
  if (std::ranges::find(*names, given) != names->end()) return "";
  *names = nearest_first(*std::move(names), given);
  std::string text;
  for (std::size_t i = 0; i < std::min(names->size(), most_named); ++i)
    text += (i == 0 ? " Tables: " : ", ") + (*names)[i];
  if (names->size() > most_named) text += " and " + std::to_string(names->size() - most_named) + " more";
  return text + ".";
}

}  // namespace dinette::mcp
