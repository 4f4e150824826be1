#include "cql/grammar/cursor.h"

#include <algorithm>

#include "dinette/base/ascii.h"

#include "cql/grammar/parse.h"

namespace dinette::cql::grammar {
namespace {

/// How many tokens messages show around the offending one; blanks between tokens count as one.
constexpr int shown_before = 10;
constexpr int shown_after = 2;

/// Names of tokens in messages, as Cassandra's grammar has them.
std::string name_of_symbol(std::string_view symbol) {
  return "'" + std::string(symbol) + "'";
}

std::string name_of_word(std::string_view word) {
  std::string name = "K_";
  for (const char c : word) name.push_back(base::to_upper(c));
  return name;
}

}  // namespace

const Token& Cursor::token(std::size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

bool Cursor::at_word(std::string_view word, std::size_t ahead) const {
  const Token& next = token(ahead);
  return next.kind == TokenKind::name && next.text == word;
}

bool Cursor::at_symbol(std::string_view symbol, std::size_t ahead) const {
  const Token& next = token(ahead);
  return next.kind == TokenKind::symbol && next.source == symbol;
}

bool Cursor::at_name(std::size_t ahead) const {
  const Token& next = token(ahead);
  return next.kind == TokenKind::quoted_name || (next.kind == TokenKind::name && !is_reserved(next.text));
}

bool Cursor::take_word(std::string_view word) {
  if (!at_word(word)) return false;
  ++next_;
  return true;
}

bool Cursor::take_symbol(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  ++next_;
  return true;
}

bool Cursor::take_words(std::string_view first, std::string_view second) {
  if (!at_word(first) || !at_word(second, 1)) return false;
  next_ += 2;
  return true;
}

Answer<void> Cursor::expect_word(std::string_view word) {
  if (take_word(word)) return {};
  return mismatched(name_of_word(word));
}

Answer<void> Cursor::expect_symbol(std::string_view symbol) {
  if (take_symbol(symbol)) return {};
  return mismatched(name_of_symbol(symbol));
}

Answer<std::string> Cursor::read_name() {
  if (!at_name()) return no_viable();
  return take().text;
}

Answer<QualifiedName> Cursor::read_qualified_name() {
  QualifiedName out;
  DINETTE_TRY(out.name, read_name());
  if (!take_symbol(".")) return out;
  out.keyspace = std::move(out.name);
  DINETTE_TRY(out.name, read_name());
  return out;
}

Marker Cursor::add_marker(std::string name) {
  markers_.push_back(std::move(name));
  return {markers_.size() - 1};
}

base::Failure<Error> Cursor::no_viable() const {
  // docs/service-keyspaces/errors.md section 3.
  if (tokens_.size() == 1) return syntax_error("line 0:-1 no viable alternative at input '<EOF>'");
  const std::string_view source = at_end() ? "<EOF>" : token().source;
  return refused("no viable alternative at input '" + std::string(source) + "' (" + snippet() + ")");
}

base::Failure<Error> Cursor::mismatched(std::string_view expected) const {
  const std::string_view source = at_end() ? "<EOF>" : token().source;
  return refused("mismatched input '" + std::string(source) + "' expecting " + std::string(expected) + " (" +
                 snippet() + ")");
}

base::Failure<Error> Cursor::refused(std::string_view message) const {
  return syntax_error(at_line(statement_, offset_of(token())) + std::string(message));
}

std::string Cursor::snippet() const {
  const auto end_of = [&](std::size_t i) { return offset_of(tokens_[i]) + tokens_[i].source.size(); };
  const auto blank_before = [&](std::size_t i) { return i > 0 && end_of(i - 1) < offset_of(tokens_[i]); };
  std::size_t begin = next_;
  for (int left = shown_before; begin > 0; --begin) {
    left -= blank_before(begin) ? 2 : 1;
    if (left < 0) break;
  }
  std::size_t last = next_;
  for (int left = shown_after; last + 2 < tokens_.size(); ++last) {
    left -= blank_before(last + 1) ? 2 : 1;
    if (left < 0) break;
  }
  last = std::max(last, next_);
  const std::size_t from = offset_of(tokens_[begin]);
  const std::size_t at = offset_of(token());
  std::string out = begin > 0 ? "..." : "";
  out += statement_.substr(from, at - from);
  if (at_end()) {
    out += "[]";
  } else {
    out.append("[").append(token().source).append("]");
    out += statement_.substr(end_of(next_), end_of(last) - end_of(next_));
  }
  if (last + 2 < tokens_.size()) out += "...";
  std::erase_if(out, [](char c) { return c == '\r' || c == '\n'; });
  return out;
}

Answer<void> Nesting::check() const {
  if (cursor_.depth_ <= most_nested) return {};
  return cursor_.refused("nesting exceeds the maximum of " + std::to_string(most_nested));
}

}  // namespace dinette::cql::grammar
