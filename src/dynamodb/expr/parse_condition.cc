#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/expr/parser.h"

namespace dinette::dynamodb::expr {
namespace {

/// A sub-expression as far as it is known: a whole condition, or an operand that a comparator must follow.
/// Which of the two a parenthesis opens shows only at its end: `(a) = :v` against `(a = :v)`.
struct Term {
  std::optional<Slot> node;          // set: a condition
  Operand operand;                   // else
  std::string_view lonely_function;  // it is this function and nothing more
  bool parenthesised = false;        // a pair of parentheses and nothing around it
};

struct ConditionFunction {
  std::string_view name;
  ConditionOp op;
  std::size_t operands;
  bool wants_path;  ///< as the first operand
};
constexpr std::array<ConditionFunction, 5> functions = {{
    {"attribute_exists", ConditionOp::attribute_exists, 1, true},
    {"attribute_not_exists", ConditionOp::attribute_not_exists, 1, true},
    {"attribute_type", ConditionOp::attribute_type, 2, true},
    {"begins_with", ConditionOp::begins_with, 2, false},
    {"contains", ConditionOp::contains, 2, false},
}};

std::optional<ConditionOp> comparator(TokenKind kind) {
  switch (kind) {
    case TokenKind::equal:
      return ConditionOp::equal;
    case TokenKind::not_equal:
      return ConditionOp::not_equal;
    case TokenKind::less:
      return ConditionOp::less;
    case TokenKind::less_equal:
      return ConditionOp::less_equal;
    case TokenKind::greater:
      return ConditionOp::greater;
    case TokenKind::greater_equal:
      return ConditionOp::greater_equal;
    default:
      return std::nullopt;
  }
}

class ConditionParser {
 public:
  explicit ConditionParser(Parser& parser) : parser_(parser) {}

  ConditionAst parse() {
    root();
    return std::move(ast_);
  }

 private:
  /// An operator without its right operand, or an open parenthesis.
  struct Pending {
    TokenKind kind;  // open_paren, keyword_not, keyword_and or keyword_or
    Slot left = 0;   // of AND and OR
  };

  // By operator precedence, with a stack of its own instead of recursion: no depth of parentheses or NOTs
  // does harm, and what is wrong behind them is still found.
  void root() {
    while (true) {
      while (parser_.at(TokenKind::keyword_not) || parser_.at(TokenKind::open_paren)) push(0);
      Term term = comparison(primary());
      while (!parser_.at(TokenKind::keyword_and) && !parser_.at(TokenKind::keyword_or)) {
        term = reduce(term, TokenKind::open_paren);
        if (pending_.empty()) {
          condition(term);
          return;
        }
        term = comparison(close_parenthesis(term));
      }
      term = reduce(term, parser_.peek().kind);
      push(condition(term));
    }
  }

  void push(Slot left) {
    const TokenKind kind = parser_.take().kind;
    if (kind != TokenKind::open_paren) parser_.count_operator();
    pending_.push_back({kind, left});
  }

  // Loosest first (docs/service/expressions.md section 1).
  static int tightness(TokenKind kind) {
    switch (kind) {
      case TokenKind::keyword_or:
        return 1;
      case TokenKind::keyword_and:
        return 2;
      case TokenKind::keyword_not:
        return 3;
      default:
        return 0;
    }
  }

  // Ends what waits for `term` and binds at least as tightly as `next`, up to the innermost parenthesis.
  Term reduce(Term term, TokenKind next) {
    while (!pending_.empty() && pending_.back().kind != TokenKind::open_paren &&
           tightness(pending_.back().kind) >= tightness(next)) {
      const auto [kind, left] = pending_.back();
      pending_.pop_back();
      const Slot last = condition(term);
      if (kind == TokenKind::keyword_not) {
        term = node(ConditionOp::logical_not, last, 0);
      } else {
        term = node(kind == TokenKind::keyword_or ? ConditionOp::logical_or : ConditionOp::logical_and, left,
                    last);
      }
    }
    return term;
  }

  Term close_parenthesis(Term inner) {
    pending_.pop_back();
    parser_.expect(TokenKind::close_paren);
    if (inner.parenthesised) note_redundant_parentheses();
    inner.parenthesised = true;
    return inner;
  }

  // An operand with what follows it, or whatever is there by itself.
  Term comparison(const Term& left) {
    if (left.node) {
      if (!left.lonely_function.empty() && comparator(parser_.peek().kind)) {
        parser_.note_misused_function(left.lonely_function);
        parser_.take();
        operand();
      }
      return left;
    }
    if (const auto op = comparator(parser_.peek().kind)) {
      parser_.take();
      parser_.count_operator();
      return node(*op, add_operands({left.operand, operand()}), 0);
    }
    if (parser_.accept(TokenKind::keyword_between)) return between(left.operand);
    if (parser_.accept(TokenKind::keyword_in)) return in(left.operand);
    return left;
  }

  Term between(const Operand& subject) {
    parser_.count_operator();
    const Operand low = operand();
    parser_.expect(TokenKind::keyword_and);
    const Operand high = operand();
    return node(ConditionOp::between, add_operands({subject, low, high}), 0);
  }

  Term in(const Operand& subject) {
    parser_.count_operator();
    std::vector<Operand> operands = {subject};
    parser_.expect(TokenKind::open_paren);
    do {
      operands.push_back(operand());
    } while (parser_.accept(TokenKind::comma));
    parser_.expect(TokenKind::close_paren);
    if (operands.size() - 1 > model::limits::in_operands) {
      parser_.note(Problem::operators,
                   "The IN operator is provided with too many operands; number of operands: " +
                       std::to_string(operands.size() - 1));
    }
    return node(ConditionOp::in, add_operands(operands), operands.size());
  }

  Term primary() {
    if (parser_.at(TokenKind::value)) {
      return {.node = {},
              .operand = {Operand::Kind::value, parser_.value_slot(parser_.take())},
              .lonely_function = {}};
    }
    if (parser_.at(TokenKind::identifier) && parser_.peek(1).kind == TokenKind::open_paren) return function();
    const Path path = parser_.path();
    return {.node = {}, .operand = {Operand::Kind::path, parser_.path_slot(path)}, .lonely_function = {}};
  }

  Term function() {
    const std::string_view name = parser_.take().text;
    const std::vector<Operand> operands = arguments();
    if (name == "size") return size(name, operands);
    Term call = node(ConditionOp::attribute_exists, add_operands(operands), 0);
    call.lonely_function = name;
    const auto* known = std::ranges::find(functions, name, &ConditionFunction::name);
    if (known != functions.end()) {
      ast_.nodes[*call.node].op = known->op;
      check_operands(*known, operands);
    } else if (name == "if_not_exists" || name == "list_append") {
      parser_.note_foreign_function(name);
    } else {
      parser_.note_unknown_function(name);
    }
    return call;
  }

  void check_operands(const ConditionFunction& function, const std::vector<Operand>& operands) {
    if (operands.size() != function.operands) {
      parser_.note_operand_count(function.name, operands.size());
    } else if (function.wants_path && operands.front().kind != Operand::Kind::path) {
      parser_.note_not_a_path(function.name);
    }
  }

  Term size(std::string_view name, const std::vector<Operand>& operands) {
    Term call;
    call.lonely_function = name;
    if (operands.size() != 1) {
      parser_.note_operand_count(name, operands.size());
      return call;
    }
    const Operand& of = operands.front();
    if (of.kind == Operand::Kind::path || of.kind == Operand::Kind::value) {
      const bool path = of.kind == Operand::Kind::path;
      call.operand = {path ? Operand::Kind::size_of_path : Operand::Kind::size_of_value, of.slot};
    } else {
      parser_.note_not_a_path(name);
    }
    return call;
  }

  std::vector<Operand> arguments() {
    std::vector<Operand> operands;
    if (!parser_.enter_call()) return operands;
    do {
      operands.push_back(operand());
    } while (parser_.accept(TokenKind::comma));
    parser_.leave_call();
    return operands;
  }

  // Where only an operand may be. A function that answers true or false is none.
  Operand operand() {
    std::size_t parentheses = 0;
    while (parser_.accept(TokenKind::open_paren)) ++parentheses;
    if (parentheses > 1) note_redundant_parentheses();
    const Term term = primary();
    if (term.node) parser_.note_misused_function(term.lonely_function);
    for (; parentheses > 0; --parentheses) parser_.expect(TokenKind::close_paren);
    return term.operand;
  }

  // Where only a condition may be: an operand by itself is either a value-returning function out of place,
  // or something is missing behind it.
  Slot condition(const Term& term) {
    if (term.node) return *term.node;
    if (term.lonely_function.empty()) {
      parser_.fail();
    } else {
      parser_.note_misused_function(term.lonely_function);
    }
    return 0;
  }

  void note_redundant_parentheses() {
    parser_.note(Problem::parentheses, "The expression has redundant parentheses;");
  }

  Slot add_operands(std::span<const Operand> operands) {
    const auto first = static_cast<Slot>(ast_.operands.size());
    ast_.operands.insert(ast_.operands.end(), operands.begin(), operands.end());
    return first;
  }
  Slot add_operands(std::initializer_list<Operand> operands) {
    return add_operands(std::span<const Operand>(operands.begin(), operands.size()));
  }

  Term node(ConditionOp op, std::size_t a, std::size_t b) {
    ast_.nodes.push_back({op, static_cast<Slot>(a), static_cast<Slot>(b)});
    return {.node = static_cast<Slot>(ast_.nodes.size() - 1), .operand = {}, .lonely_function = {}};
  }

  Parser& parser_;
  ConditionAst ast_;
  std::vector<Pending> pending_;
};

}  // namespace

void parse_condition(Parser& parser) {
  parser.parsed().form = ConditionParser(parser).parse();
}

}  // namespace dinette::dynamodb::expr
