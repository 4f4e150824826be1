#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/grammar/lexer.h"

namespace dinette::cql::grammar {

/// The tokens of a statement, read one after the other, and what is counted meanwhile: bind markers, and how
/// deep its parts nest.
class Cursor {
 public:
  /// `statement` must outlive it. `tokens` end with one of kind `end`.
  Cursor(std::string_view statement, std::vector<Token> tokens)
      : statement_(statement), tokens_(std::move(tokens)) {}

  const Token& token(std::size_t ahead = 0) const;
  Token take() { return tokens_[next_ + 1 < tokens_.size() ? next_++ : next_]; }
  bool at_end() const { return token().kind == TokenKind::end; }
  bool at(TokenKind kind, std::size_t ahead = 0) const { return token(ahead).kind == kind; }
  /// A keyword or another word without quotes, in lower case.
  bool at_word(std::string_view word, std::size_t ahead = 0) const;
  bool at_symbol(std::string_view symbol, std::size_t ahead = 0) const;
  /// A name of the user: in quotes, or no reserved word.
  bool at_name(std::size_t ahead = 0) const;

  /// Each reads what it names if that comes next.
  bool take_word(std::string_view word);
  bool take_symbol(std::string_view symbol);
  /// Two keywords in a row.
  bool take_words(std::string_view first, std::string_view second);

  Answer<void> expect_word(std::string_view word);
  Answer<void> expect_symbol(std::string_view symbol);
  Answer<std::string> read_name();
  Answer<QualifiedName> read_qualified_name();
  /// Adds a bind marker; its name is empty for `?`.
  Marker add_marker(std::string name);

  /// Errors at the next token.
  base::Failure<Error> no_viable() const;
  base::Failure<Error> mismatched(std::string_view expected) const;
  base::Failure<Error> refused(std::string_view message) const;

  std::string_view statement() const { return statement_; }
  const std::vector<std::string>& markers() const { return markers_; }

 private:
  friend class Nesting;

  /// What messages show around the next token.
  std::string snippet() const;
  std::size_t offset_of(const Token& token) const {
    return static_cast<std::size_t>(token.source.data() - statement_.data());
  }

  std::string_view statement_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  std::vector<std::string> markers_;
  int depth_ = 0;
};

/// One more level of what nests, as long as it lives.
class Nesting {
 public:
  explicit Nesting(Cursor& cursor) : cursor_(cursor) { ++cursor_.depth_; }
  ~Nesting() { --cursor_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  Answer<void> check() const;

 private:
  Cursor& cursor_;
};

/// Reads `item`, and more of them after commas.
template <class Item>
Answer<void> read_list(Cursor& in, Item item) {
  do {
    DINETTE_CHECK(item());
  } while (in.take_symbol(","));
  return {};
}

}  // namespace dinette::cql::grammar
