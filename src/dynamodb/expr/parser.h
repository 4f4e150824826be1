#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/lexer.h"

namespace dinette::dynamodb::expr {

/// What a right sentence may still do wrong without any look at the request's placeholders. The first of the
/// lowest kind is reported, and only when the syntax is right (docs/service/expressions.md section 7,
/// "Order").
enum class Problem : std::uint8_t {
  parentheses,
  path,
  reserved_word,
  unknown_function,
  function,
  clause,
  operators
};

/// What the grammars share: a cursor over the tokens, document paths, and the first error of each kind.
///
/// A syntax error ends the parse without any unwinding: the cursor jumps to the end, where nothing is
/// accepted any more, so every loop stops and what is still built is thrown away. Only function calls
/// recurse; their depth is limited as their number is.
class Parser {
 public:
  Parser(Kind kind, std::string_view text);

  Kind kind() const { return parsed_.kind; }
  Parsed& parsed() { return parsed_; }

  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  /// Steps over the token if it is of this kind.
  bool accept(TokenKind kind);
  /// Accepts the token; anything else is a syntax error.
  void expect(TokenKind kind);
  Token take();
  /// Refuses the token under the cursor.
  void fail();
  bool failed() const { return !refusal_.empty(); }

  /// Notes a problem of a kind, unless there is one already.
  void note(Problem problem, std::string message);

  /// Counts an operator or function; there may be 300 of them.
  void count_operator();

  /// Steps into the parentheses of a function call, which counts as an operator. False, and the parse is
  /// over, when so many are open that there are too many operators, whatever follows.
  bool enter_call();
  void leave_call();

  Path path();
  Slot value_slot(const Token& token);
  /// Puts `path` in the table of paths.
  Slot path_slot(Path path);

  /// Notes `The function is not allowed to be used this way in an expression; function: size`
  void note_misused_function(std::string_view function);
  void note_unknown_function(std::string_view function);
  /// Notes a function that belongs to another kind of expression.
  void note_foreign_function(std::string_view function);
  void note_operand_count(std::string_view function, std::size_t count);
  void note_not_a_path(std::string_view function);

  /// Ends parsing. Returns the error to report, without prefix, if there is one.
  std::optional<std::string> finish();

 private:
  /// Ends the parse with this message, unless it has ended.
  void stop(std::string message);
  PathElement name_element();
  PathElement index_element();
  Slot name_slot(const Token& token);

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t open_calls_ = 0;
  std::size_t operators_ = 0;
  std::string refusal_;                  // what ended the parse
  std::array<std::string, 7> problems_;  // by Problem
  Parsed parsed_;
};

void parse_condition(Parser& parser);
void parse_update(Parser& parser);
void parse_projection(Parser& parser);

}  // namespace dinette::dynamodb::expr
