#include "iam/pattern.h"

#include <cstddef>

#include "dinette/base/ascii.h"

namespace dinette::iam {
namespace {

constexpr std::size_t arn_parts = 6;

void append_text(Symbols& out, std::string_view text) {
  for (const char c : text) out += static_cast<unsigned char>(c);
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Appends the value of a variable, the text between its braces. Returns false if there is none.
bool append_variable(Symbols& out, std::string_view variable, const RequestContext& context) {
  if (variable == "*" || variable == "?" || variable == "$") {
    append_text(out, variable);
    return true;
  }
  const std::size_t comma = variable.find(',');
  const auto* const values = context.find(without_blanks(variable.substr(0, comma)));
  if (values != nullptr && values->size() == 1) {
    append_text(out, values->front());
    return true;
  }
  if (comma == std::string_view::npos) return false;
  const std::string_view quoted = without_blanks(variable.substr(comma + 1));
  if (quoted.size() < 2 || !quoted.starts_with('\'') || !quoted.ends_with('\'')) return false;
  append_text(out, quoted.substr(1, quoted.size() - 2));
  return true;
}

void append_symbol(Symbols& out, char c) {
  if (c == '*') {
    out += any_symbol;
  } else if (c == '?') {
    out += one_symbol;
  } else {
    out += static_cast<unsigned char>(c);
  }
}

bool same(char16_t symbol, char c) {
  return symbol == one_symbol || symbol == static_cast<unsigned char>(c);
}

bool same_ignoring_case(char16_t symbol, char c) {
  return same(symbol, c) || (symbol < 0x80 && base::to_lower(static_cast<char>(symbol)) == base::to_lower(c));
}

/// Returns to the last "*" and lets it match one character more whenever the rest does not match.
template <class Same>
bool matches_by(SymbolView pattern, std::string_view text, Same same_at) {
  std::size_t at = 0;
  std::size_t pos = 0;
  std::size_t star = SymbolView::npos;
  std::size_t resumed = 0;
  while (pos < text.size()) {
    if (at < pattern.size() && pattern[at] == any_symbol) {
      star = at++;
      resumed = pos;
    } else if (at < pattern.size() && same_at(pattern[at], text[pos])) {
      ++at;
      ++pos;
    } else if (star != SymbolView::npos) {
      at = star + 1;
      pos = ++resumed;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == any_symbol) ++at;
  return at == pattern.size();
}

/// Takes the text before the next colon, or all that is left.
template <class View>
View take_part(View& rest, bool last) {
  const std::size_t colon = last ? View::npos : rest.find(':');
  const View part = rest.substr(0, colon);
  rest = colon == View::npos ? View() : rest.substr(colon + 1);
  return part;
}

}  // namespace

std::optional<Symbols> expand(std::string_view text, const RequestContext* context) {
  Symbols out;
  while (!text.empty()) {
    const std::size_t end = context && text.starts_with("${") ? text.find('}') : std::string_view::npos;
    if (end == std::string_view::npos) {
      append_symbol(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    if (!append_variable(out, text.substr(2, end - 2), *context)) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string plain_text(SymbolView symbols) {
  std::string text;
  for (const char16_t symbol : symbols) {
    text += symbol == any_symbol ? '*' : symbol == one_symbol ? '?' : static_cast<char>(symbol);
  }
  return text;
}

bool matches(SymbolView pattern, std::string_view text) {
  return matches_by(pattern, text, same);
}

bool matches_ignoring_case(SymbolView pattern, std::string_view text) {
  return matches_by(pattern, text, same_ignoring_case);
}

bool matches_arn(SymbolView pattern, std::string_view arn) {
  if (pattern.size() == 1 && pattern[0] == any_symbol) return true;
  for (std::size_t part = 1; part <= arn_parts; ++part) {
    if (pattern.empty()) return part > 1;
    const bool last = part == arn_parts;
    if (!matches(take_part(pattern, last), take_part(arn, last))) return false;
  }
  return true;
}

}  // namespace dinette::iam
