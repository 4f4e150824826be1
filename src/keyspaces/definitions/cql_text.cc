#include "keyspaces/definitions/cql_text.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::keyspaces {
namespace {

/// Doubles each quote.
std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out.push_back(quote);
    out.push_back(c);
  }
  out.push_back(quote);
  return out;
}

/// Takes two quotes for one. Nothing if one is alone.
std::optional<std::string> without_doubled_quotes(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (++i == text.size() || text[i] != '"')) return std::nullopt;
    name.push_back(text[i]);
  }
  return name;
}

}  // namespace

std::string quoted_name(std::string_view name) {
  return quoted(name, '"');
}

std::string quoted_name(std::string_view keyspace, std::string_view name) {
  return quoted_name(keyspace) + "." + quoted_name(name);
}

std::optional<std::string> name_in_text(std::string_view text) {
  if (text.size() > 2 && text.starts_with('"') && text.ends_with('"'))
    return without_doubled_quotes(text.substr(1, text.size() - 2));
  const auto fits = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_'; };
  if (text.empty() || !base::is_letter(text.front()) || !std::ranges::all_of(text, fits)) return std::nullopt;
  std::string name(text);
  std::ranges::transform(name, name.begin(), base::to_lower);
  return name;
}

std::string quoted_text(std::string_view text) {
  return quoted(text, '\'');
}

CqlMap& CqlMap::text(std::string_view name, std::string_view value) {
  entries_.emplace_back(name, quoted_text(value));
  return *this;
}

CqlMap& CqlMap::number(std::string_view name, std::int64_t value) {
  entries_.emplace_back(name, std::to_string(value));
  return *this;
}

CqlMap& CqlMap::truth(std::string_view name, bool value) {
  entries_.emplace_back(name, value ? "true" : "false");
  return *this;
}

CqlMap& CqlMap::map(std::string_view name, const CqlMap& value) {
  entries_.emplace_back(name, value.cql());
  return *this;
}

std::string CqlMap::cql() const {
  std::string out = "{";
  for (const auto& [name, value] : entries_)
    out.append(out.size() > 1 ? ", " : "").append(quoted_text(name)).append(": ").append(value);
  return out + "}";
}

void CqlProperties::add(std::string_view name, std::string_view value) {
  clauses_.push_back(std::string(name).append(" = ").append(value));
}

void CqlProperties::add(std::string_view name, const CqlMap& value) {
  if (!value.empty()) add(name, value.cql());
}

void CqlProperties::add_clause(std::string clause) {
  clauses_.push_back(std::move(clause));
}

std::string CqlProperties::cql() const {
  std::string out;
  for (const std::string& clause : clauses_) out.append(out.empty() ? " WITH " : " AND ").append(clause);
  return out;
}

}  // namespace dinette::keyspaces
