#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dynamodb/partiql/parse/expression_parser.h"

namespace dinette::dynamodb::partiql {

/// The statements of the grammar.
class StatementParser final : public ExpressionParser {
 public:
  explicit StatementParser(std::vector<Token> tokens) : ExpressionParser(std::move(tokens)) {}

  Checked<Tree> parse();

 private:
  std::optional<NodeId> statement() override;

  NodeId select();
  NodeId select_list();
  void from(NodeId select);
  NodeId source();
  NodeId joined(NodeId left);
  void clause(NodeId parent, std::string_view word);
  void order_by(NodeId select);
  void group_by(NodeId select);
  NodeId sort();

  NodeId update();
  NodeId update_from();
  NodeId erase();
  NodeId insert();
  NodeId target();
  void operations(NodeId update);
  NodeId operation();
  NodeId set();
  void where(NodeId parent, int precedence);
  void returning(NodeId parent);
  NodeId with_alias(NodeId named);

  /// Adds a clause that the service reads and refuses.
  void add_unsupported(NodeId parent, std::uint32_t word, std::uint32_t place);

  std::string nested_;  ///< the first keyword of a write within another statement
};

}  // namespace dinette::dynamodb::partiql
