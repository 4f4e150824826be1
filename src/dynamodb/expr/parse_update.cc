#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/expr/parser.h"

namespace dinette::dynamodb::expr {
namespace {

constexpr std::array<std::string_view, 4> clause_words = {"SET", "REMOVE", "ADD", "DELETE"};

class UpdateParser {
 public:
  explicit UpdateParser(Parser& parser) : parser_(parser) {}

  UpdateAst parse() {
    do {
      section();
    } while (!parser_.at(TokenKind::end));
    return std::move(ast_);
  }

 private:
  void section() {
    const auto clause = clause_at_cursor();
    if (!clause) return parser_.fail();
    parser_.take();
    bool& seen = seen_[static_cast<std::size_t>(*clause)];
    if (seen) {
      parser_.note(Problem::clause, "The \"" + std::string(clause_words[static_cast<std::size_t>(*clause)]) +
                                        "\" section can only be used once in an update expression;");
    }
    seen = true;
    do {
      action(*clause);
    } while (parser_.accept(TokenKind::comma));
  }

  std::optional<Clause> clause_at_cursor() const {
    switch (parser_.peek().kind) {
      case TokenKind::keyword_set:
        return Clause::set;
      case TokenKind::keyword_remove:
        return Clause::remove;
      case TokenKind::keyword_add:
        return Clause::add;
      case TokenKind::keyword_delete:
        return Clause::erase;
      default:
        return std::nullopt;
    }
  }

  void action(Clause clause) {
    const Path target = parser_.path();
    parser_.parsed().targets.push_back(target);
    Slot argument = 0;
    if (clause == Clause::set) {
      parser_.expect(TokenKind::equal);
      argument = value();
    } else if (clause != Clause::remove) {
      const Token token = parser_.peek();
      parser_.expect(TokenKind::value);
      argument = parser_.value_slot(token);
    }
    ast_.actions.push_back({clause, argument});
  }

  /// An open level of a value: `left op`, once both are read.
  struct Level {
    std::optional<ValueOp> op;
    Slot left = 0;
  };

  // value := operand | operand + operand | operand - operand | ( value ): one `+` or `-` a level, but
  // operands may be in parentheses, and so may what is in them (docs/service/expressions.md sections 1
  // and 7). The levels have a stack of their own, so that no depth of parentheses does harm.
  Slot value() {
    std::vector<Level> levels(1);
    while (true) {
      while (parser_.accept(TokenKind::open_paren)) levels.emplace_back();
      Slot slot = bare_operand();
      while (levels.back().op || !at_arithmetic()) {
        if (const Level& level = levels.back(); level.op) slot = node(*level.op, level.left, slot);
        levels.pop_back();
        if (levels.empty()) return slot;
        parser_.expect(TokenKind::close_paren);
      }
      const bool plus = parser_.take().kind == TokenKind::plus;
      parser_.count_operator();
      levels.back() = {plus ? ValueOp::add : ValueOp::subtract, slot};
    }
  }

  bool at_arithmetic() const { return parser_.at(TokenKind::plus) || parser_.at(TokenKind::minus); }

  // An argument of a function: an operand, never a sum (docs/service/expressions.md section 1). The depth of
  // parentheses is counted, not nested.
  Slot argument() {
    std::size_t parentheses = 0;
    while (parser_.accept(TokenKind::open_paren)) ++parentheses;
    const Slot slot = bare_operand();
    for (; parentheses > 0; --parentheses) parser_.expect(TokenKind::close_paren);
    return slot;
  }

  Slot bare_operand() {
    if (parser_.at(TokenKind::value)) return node(ValueOp::value, parser_.value_slot(parser_.take()), 0);
    if (parser_.at(TokenKind::identifier) && parser_.peek(1).kind == TokenKind::open_paren) return function();
    const Path path = parser_.path();
    return node(ValueOp::path, parser_.path_slot(path), 0);
  }

  Slot function() {
    const std::string_view name = parser_.take().text;
    if (!parser_.enter_call()) return 0;
    std::array<Slot, 2> arguments{};
    std::size_t count = 0;
    do {
      const Slot slot = argument();
      if (count < arguments.size()) arguments[count] = slot;
      ++count;
    } while (parser_.accept(TokenKind::comma));
    parser_.leave_call();
    return parser_.failed() ? Slot{0} : call(name, arguments, count);
  }

  Slot call(std::string_view name, const std::array<Slot, 2>& arguments, std::size_t count) {
    const bool if_not_exists = name == "if_not_exists";
    if (!if_not_exists && name != "list_append") {
      refuse_function(name);
      return 0;
    }
    if (count != arguments.size()) {
      parser_.note_operand_count(name, count);
      return 0;
    }
    if (!if_not_exists) return list_append(arguments);
    const ValueNode& first = ast_.nodes[arguments[0]];
    if (first.op != ValueOp::path) {
      parser_.note_not_a_path(name);
      return 0;
    }
    return node(ValueOp::if_not_exists, first.a, arguments[1]);
  }

  // Never directly inside another one.
  Slot list_append(const std::array<Slot, 2>& arguments) {
    const auto is_list_append = [&](Slot slot) { return ast_.nodes[slot].op == ValueOp::list_append; };
    if (std::ranges::any_of(arguments, is_list_append)) parser_.note_misused_function("list_append");
    return node(ValueOp::list_append, arguments[0], arguments[1]);
  }

  void refuse_function(std::string_view name) {
    constexpr std::array<std::string_view, 6> conditions = {
        "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"};
    if (std::ranges::find(conditions, name) != conditions.end()) {
      parser_.note_foreign_function(name);
    } else {
      parser_.note_unknown_function(name);
    }
  }

  Slot node(ValueOp op, Slot a, Slot b) {
    ast_.nodes.push_back({op, a, b});
    return static_cast<Slot>(ast_.nodes.size() - 1);
  }

  Parser& parser_;
  UpdateAst ast_;
  std::array<bool, clause_words.size()> seen_{};
};

}  // namespace

void parse_update(Parser& parser) {
  parser.parsed().form = UpdateParser(parser).parse();
}

}  // namespace dinette::dynamodb::expr
