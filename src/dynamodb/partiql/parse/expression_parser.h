#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/partiql/parse/parser.h"

namespace dinette::dynamodb::partiql {

/// How tightly operators bind; SET operations bind least.
enum Precedence : int { none = -1, set_operation = 5, selecting = 6, logical_not = 30 };

/// The expressions of the grammar: a recursive descent with a limit of depth, operators by precedence.
///
/// An error ends the parse without any unwinding: the cursor jumps to the end, where nothing is accepted any
/// more, so every loop stops and what is still built is thrown away.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::vector<Token> tokens);
  virtual ~ExpressionParser() = default;

 protected:
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  /// Returns true if the token under the cursor is this keyword or operator.
  bool at_word(std::string_view word, std::size_t ahead = 0) const;
  bool at_end_of_statement(std::size_t ahead = 0) const;
  bool accept(TokenKind kind);
  bool accept_word(std::string_view word);
  /// Refuses anything else with this sentence.
  void expect(TokenKind kind, std::string_view problem);
  /// Steps over the token and returns its position in the list.
  std::uint32_t take();

  /// Refuses the statement with this sentence after not_well_formed.
  void fail(std::string_view problem);
  /// The same for what parses: the whole sentence.
  void refuse(std::string message);
  bool failed() const { return !refusal_.empty(); }

  NodeId add(NodeKind kind, std::uint32_t token, std::initializer_list<NodeId> children = {});
  Node& node(NodeId id) { return tree_.nodes[id]; }
  void append(NodeId parent, NodeId child) { tree_.nodes[parent].children.push_back(child); }

  NodeId expression(int precedence = Precedence::none);
  /// Parses a name with steps; `simple` ones may have only names and literal positions.
  NodeId path(bool simple);
  /// Expressions with commas between them, as children of a new node.
  NodeId expressions(NodeKind kind, std::uint32_t token);
  /// Parses SELECT, UPDATE and so on where an operand may be; returns nothing without such a keyword.
  virtual std::optional<NodeId> statement() = 0;

  Tree tree_;
  std::string refusal_;

 private:
  NodeId unary_term();
  NodeId term();
  NodeId keyword_term();
  NodeId group();
  NodeId structure();
  NodeId call();
  NodeId steps(NodeId term, bool simple);
  NodeId dot_step(bool simple);
  NodeId index_step(bool simple);
  NodeId infix(NodeId left, int precedence);
  NodeId in_list(NodeId left, std::uint32_t op);
  NodeId is_type(NodeId left, std::uint32_t op);
  NodeId between(NodeId left, std::uint32_t op, int precedence);
  NodeId like(NodeId left, std::uint32_t op, int precedence);

  std::size_t cursor_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace dinette::dynamodb::partiql
