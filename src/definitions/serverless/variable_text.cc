#include "variable_text.h"

#include <algorithm>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/definitions/read_node.h"

namespace dinette::definitions::serverless {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr int most_unfinished = 100;  // variables without an end in a text, which are searched to its end

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == none) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// Returns the length of the name of a source at the beginning; 0 if there is none.
std::size_t type_length(std::string_view text) {
  if (text.empty() || !base::is_letter(text.front())) return 0;
  const auto end =
      std::ranges::find_if_not(text, [](char c) { return base::is_word_character(c) || c == '-'; });
  return static_cast<std::size_t>(end - text.begin());
}

/// Returns true if what follows `${` is a variable of Serverless: `name:` or `name(`, but not `AWS::`.
bool begins_variable(std::string_view text) {
  text = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::size_t length = type_length(text);
  if (length == 0 || length == text.size()) return false;
  if (text[length] == '(') return true;
  return text[length] == ':' && text.substr(length, 2) != "::";
}

/// Returns where a quoted text ends, after its quote; npos if it does not.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return none;
}

/// Returns where a source ends: at the comma after it, or the brace that ends the variable.
std::size_t end_of_source(std::string_view text, std::size_t at) {
  at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  if (at < text.size() && (text[at] == '\'' || text[at] == '"')) {
    const std::size_t end = end_of_quoted(text, at);
    if (end != none) at = end;
  }
  std::vector<char> open;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (open.empty() && (c == ',' || c == '}')) return at;
    if (c == '{' || c == '(') open.push_back(c == '{' ? '}' : ')');
    if (!open.empty() && c == open.back()) open.pop_back();
  }
  return none;
}

std::string unquoted(std::string_view text) {
  std::string plain;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '\\' && at + 2 < text.size()) ++at;
    plain += text[at];
  }
  return plain;
}

std::optional<Node> literal_of(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    return Node::text(unquoted(text));
  if (text.empty() || base::is_letter(text.front()) || base::is_digit(text.front()) || text.front() == '-') {
    const auto value = read_json(text, "");
    if (value && !value->is_list() && !value->is_map()) return *value;
  }
  return {};
}

VariableSource source_of(std::string_view text) {
  VariableSource source;
  source.text = text;
  source.literal = literal_of(text);
  const std::size_t length = source.literal ? 0 : type_length(text);
  if (length == 0 || length == text.size()) return source;
  std::string_view rest = text.substr(length);
  if (rest.front() == '(') {
    int open = 0;
    std::size_t end = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '(') ++open;
      if (rest[end] == ')' && --open == 0) break;
    }
    if (end == rest.size()) return source;
    source.parameters = std::string(trimmed(rest.substr(1, end - 1)));
    rest.remove_prefix(end + 1);
  }
  if (rest.empty() || rest.front() == ':') {
    source.type = text.substr(0, length);
    source.address = rest.empty() ? std::string_view() : trimmed(rest.substr(1));
  }
  return source;
}

/// Reads the variable whose `${` is at `at`. Returns where it ends; npos if it does not.
std::size_t read_variable(std::string_view text, std::size_t at, VariablePart& part) {
  const std::size_t begin = at;
  for (at += 2;;) {
    const std::size_t end = end_of_source(text, at);
    if (end == none) return none;
    part.sources.push_back(source_of(trimmed(text.substr(at, end - at))));
    at = end + 1;
    if (text[end] == '}') break;
  }
  part.text = text.substr(begin, at - begin);
  return at;
}

}  // namespace

std::vector<VariablePart> variable_parts(std::string_view text) {
  std::vector<VariablePart> parts;
  std::string plain;
  int unfinished = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 3) == "\\${") {
      plain += "${";
      at += 3;
      continue;
    }
    VariablePart variable;
    const bool begins =
        text.substr(at, 2) == "${" && unfinished < most_unfinished && begins_variable(text.substr(at + 2));
    const std::size_t end = begins ? read_variable(text, at, variable) : none;
    if (end == none) {
      if (begins) ++unfinished;
      plain += text[at++];
      continue;
    }
    if (!plain.empty()) parts.push_back({std::exchange(plain, {}), {}});
    parts.push_back(std::move(variable));
    at = end;
  }
  if (!plain.empty() || parts.empty()) parts.push_back({std::move(plain), {}});
  return parts;
}

}  // namespace dinette::definitions::serverless
