#include "dynamodb/partiql/parse/expression_parser.h"

#include <algorithm>
#include <array>

#include "dynamodb/api/limits.h"
#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {
namespace {

struct Infix {
  std::string_view name;
  int precedence;
};
constexpr std::array<Infix, 27> infixes = {{{"intersect", 5}, {"intersect_all", 5},
                                            {"except", 5},    {"except_all", 5},
                                            {"union", 5},     {"union_all", 5},
                                            {"or", 10},       {"and", 20},
                                            {"=", 40},        {"<>", 40},
                                            {"is", 40},       {"is_not", 40},
                                            {"in", 40},       {"not_in", 40},
                                            {"<", 50},        {"<=", 50},
                                            {">", 50},        {">=", 50},
                                            {"between", 50},  {"not_between", 50},
                                            {"like", 50},     {"not_like", 50},
                                            {"+", 60},        {"-", 60},
                                            {"||", 60},       {"/", 70},
                                            {"%", 70}}};

/// Returns 0 for a token that is not an infix operator.
int infix_precedence(const Token& token) {
  if (token.kind == TokenKind::star) return 70;
  if (token.kind != TokenKind::operation) return 0;
  const auto* const found = std::ranges::find(infixes, token.text, &Infix::name);
  return found == infixes.end() ? 0 : found->precedence;
}

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 27> type_names = {
    "any",      "bag",       "blob",     "boolean", "character", "character_varying",
    "clob",     "date",      "decimal",  "float",   "integer",   "double_precision",
    "integer4", "integer8",  "list",     "missing", "null",      "numeric",
    "real",     "sexp",      "smallint", "string",  "struct",    "symbol",
    "time",     "timestamp", "tuple"};

/// Keywords that may be called.
constexpr std::array<std::string_view, 16> function_names = {
    "exists",       "count",      "avg",   "max",   "min",  "sum",  "char_length", "character_length",
    "octet_length", "bit_length", "upper", "lower", "size", "sexp", "list",        "bag"};

constexpr std::array<std::string_view, 5> aggregates = {"count", "avg", "max", "min", "sum"};

/// They begin what the grammar knows and no statement may have.
constexpr std::array<std::string_view, 8> refused_constructs = {
    "case", "cast", "can_cast", "can_lossless_cast", "create", "drop", "exec", "pivot"};

}  // namespace

ExpressionParser::ExpressionParser(std::vector<Token> tokens) {
  tree_.tokens = std::move(tokens);
}

const Token& ExpressionParser::peek(std::size_t ahead) const {
  return tree_.tokens[std::min(cursor_ + ahead, tree_.tokens.size() - 1)];
}

bool ExpressionParser::at_word(std::string_view word, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == TokenKind::keyword || token.kind == TokenKind::operation) && token.text == word;
}

bool ExpressionParser::at_end_of_statement(std::size_t ahead) const {
  if (peek(ahead).kind == TokenKind::semicolon) ++ahead;
  return peek(ahead).kind == TokenKind::end;
}

bool ExpressionParser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool ExpressionParser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

void ExpressionParser::expect(TokenKind kind, std::string_view problem) {
  if (!accept(kind)) fail(problem);
}

std::uint32_t ExpressionParser::take() {
  const std::size_t taken = cursor_;
  if (cursor_ + 1 < tree_.tokens.size()) ++cursor_;
  return static_cast<std::uint32_t>(taken);
}

void ExpressionParser::fail(std::string_view problem) {
  refuse(std::string(not_well_formed).append(problem));
}

void ExpressionParser::refuse(std::string message) {
  if (!failed()) refusal_ = std::move(message);
  cursor_ = tree_.tokens.size() - 1;
}

NodeId ExpressionParser::add(NodeKind kind, std::uint32_t token, std::initializer_list<NodeId> children) {
  Node& made = tree_.nodes.emplace_back();
  made.kind = kind;
  made.token = token;
  made.children.assign(children.begin(), children.end());
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

NodeId ExpressionParser::expression(int precedence) {
  if (depth_ == model::limits::statement_levels) {
    fail("");
    return 0;
  }
  ++depth_;
  NodeId left = unary_term();
  for (;;) {
    const int next = infix_precedence(peek());
    if (failed() || next == 0 || next <= precedence) break;
    left = infix(left, next);
  }
  --depth_;
  return left;
}

NodeId ExpressionParser::infix(NodeId left, int precedence) {
  if (at_word("is") || at_word("is_not")) return is_type(left, take());
  if (at_word("in") || at_word("not_in")) {
    const bool in_parentheses =
        peek(1).kind == TokenKind::left_paren && !at_word("select", 2) && !at_word("values", 2);
    if (in_parentheses) return in_list(left, take());
  }
  // Operator, operand and end are three tokens at least.
  if (tree_.tokens.size() - cursor_ < 3) {
    fail("Missing right-hand side expression of infix operator");
    return left;
  }
  const std::uint32_t op = take();
  const std::string_view name = tree_.tokens[op].text;
  if (name == "between" || name == "not_between") return between(left, op, precedence);
  if (name == "like" || name == "not_like") return like(left, op, precedence);
  const NodeId right = expression(precedence);
  return add(NodeKind::binary, op, {left, right});
}

NodeId ExpressionParser::in_list(NodeId left, std::uint32_t op) {
  const std::uint32_t parenthesis = take();
  const NodeId list = expressions(NodeKind::list, parenthesis);
  expect(TokenKind::right_paren, "Expected RIGHT_PAREN");
  return add(NodeKind::binary, op, {left, list});
}

NodeId ExpressionParser::is_type(NodeId left, std::uint32_t op) {
  const bool word = at(TokenKind::keyword) || at(TokenKind::null) || at(TokenKind::missing);
  if (!word || !contains(type_names, peek().text)) {
    fail("Expected type name");
    return left;
  }
  const std::uint32_t name = take();
  NodeId type = add(NodeKind::type, name);
  if (accept(TokenKind::left_paren)) {
    type = expressions(NodeKind::type, name);
    expect(TokenKind::right_paren, "Expected RIGHT_PAREN");
  }
  return add(NodeKind::is_type, op, {left, type});
}

NodeId ExpressionParser::between(NodeId left, std::uint32_t op, int precedence) {
  const NodeId low = expression(precedence);
  if (!at_word("and")) fail("Expected AND keyword");
  if (at_end_of_statement(1)) fail("Expected expression after AND");
  take();
  const NodeId high = expression(precedence);
  return add(NodeKind::between, op, {left, low, high});
}

NodeId ExpressionParser::like(NodeId left, std::uint32_t op, int precedence) {
  const NodeId pattern = expression(precedence);
  const NodeId made = add(NodeKind::binary, op, {left, pattern});
  if (!accept_word("escape")) return made;
  if (at_end_of_statement()) fail("Expected expression after ESCAPE");
  append(made, expression(precedence));
  return made;
}

/// Parses a term; a sign before a number belongs to it.
NodeId ExpressionParser::unary_term() {
  boost::container::small_vector<std::uint32_t, 2> signs;
  while (at_word("+") || at_word("-")) signs.push_back(take());
  NodeId operand = 0;
  if (at_word("not")) {
    const std::uint32_t op = take();
    operand = add(NodeKind::unary, op, {expression(Precedence::logical_not)});
  } else {
    operand = path(false);
  }
  for (auto sign = signs.rbegin(); sign != signs.rend() && !failed(); ++sign) {
    if (node(operand).kind != NodeKind::number) {
      operand = add(NodeKind::unary, *sign, {operand});
    } else if (tree_.tokens[*sign].text == "-") {
      node(operand).negated = !node(operand).negated;
    }
  }
  return operand;
}

NodeId ExpressionParser::path(bool simple) {
  if (!simple) return steps(term(), false);
  if (at(TokenKind::name) || at(TokenKind::quoted_name)) return steps(add(NodeKind::name, take()), true);
  fail("Expected identifier for simple path");
  return 0;
}

NodeId ExpressionParser::steps(NodeId term, bool simple) {
  NodeId whole = term;
  while (at(TokenKind::dot) || at(TokenKind::left_bracket)) {
    const NodeId step = at(TokenKind::dot) ? dot_step(simple) : index_step(simple);
    if (failed()) break;
    if (whole == term) whole = add(NodeKind::path, node(term).token, {term});
    append(whole, step);
  }
  return whole;
}

NodeId ExpressionParser::dot_step(bool simple) {
  take();
  if (at(TokenKind::name) || at(TokenKind::quoted_name)) return add(NodeKind::step_name, take());
  if (at(TokenKind::star) && !simple) return add(NodeKind::step_wildcard, take());
  fail(at(TokenKind::star) ? "Invalid path dot component for simple path" : "Invalid path dot component");
  return 0;
}

NodeId ExpressionParser::index_step(bool simple) {
  take();
  if (at(TokenKind::star)) {
    const NodeId all = add(NodeKind::step_wildcard, take());
    expect(TokenKind::right_bracket, "Expected RIGHT_BRACKET");
    if (simple) fail("Invalid path component for simple path");
    return all;
  }
  const std::uint32_t first = static_cast<std::uint32_t>(cursor_);
  const NodeId index = expression();
  expect(TokenKind::right_bracket, "Expected RIGHT_BRACKET");
  const NodeId step = add(NodeKind::step_index, first, {index});
  const NodeKind kind = node(index).kind;
  if (simple && kind != NodeKind::number && kind != NodeKind::string && kind != NodeKind::name)
    fail("Invalid path component for simple path");
  return step;
}

NodeId ExpressionParser::term() {
  switch (peek().kind) {
    case TokenKind::operation:
      fail(at_word("@") ? "Identifier must follow @-operator" : "Unexpected operator");
      return 0;
    case TokenKind::keyword:
      return keyword_term();
    case TokenKind::left_paren:
      return group();
    case TokenKind::left_bracket: {
      const std::uint32_t bracket = take();
      if (accept(TokenKind::right_bracket)) return add(NodeKind::list, bracket);
      const NodeId list = expressions(NodeKind::list, bracket);
      expect(TokenKind::right_bracket, "Expected RIGHT_BRACKET");
      return list;
    }
    case TokenKind::left_bag: {
      const std::uint32_t bracket = take();
      if (accept(TokenKind::right_bag)) return add(NodeKind::bag, bracket);
      const NodeId bag = expressions(NodeKind::bag, bracket);
      expect(TokenKind::right_bag, "Expected RIGHT_DOUBLE_ANGLE_BRACKET");
      return bag;
    }
    case TokenKind::left_curly:
      return structure();
    case TokenKind::name:
    case TokenKind::quoted_name:
      return peek(1).kind == TokenKind::left_paren ? call() : add(NodeKind::name, take());
    case TokenKind::parameter: {
      const NodeId parameter = add(NodeKind::parameter, take());
      node(parameter).ordinal = tree_.parameters++;
      return parameter;
    }
    case TokenKind::string:
      return add(NodeKind::string, take());
    case TokenKind::number:
      return add(NodeKind::number, take());
    case TokenKind::boolean:
      return add(NodeKind::boolean, take());
    case TokenKind::null:
      return add(NodeKind::null, take());
    case TokenKind::missing:
      return add(NodeKind::missing, take());
    default:
      fail("Unexpected term");
      return 0;
  }
}

NodeId ExpressionParser::keyword_term() {
  if (const auto made = statement()) return *made;
  const Token& keyword = peek();
  if (contains(function_names, keyword.text) && peek(1).kind == TokenKind::left_paren) return call();
  if (contains(refused_constructs, keyword.text))
    refuse("Unsupported clause: " + keyword.text + " at " + keyword.position.text());
  fail("Unexpected keyword");
  return 0;
}

/// Parses parentheses; several expressions in them are a list.
NodeId ExpressionParser::group() {
  const std::uint32_t parenthesis = take();
  const NodeId list = expressions(NodeKind::list, parenthesis);
  expect(TokenKind::right_paren, "Expected RIGHT_PAREN");
  return !failed() && node(list).children.size() == 1 ? node(list).children.front() : list;
}

NodeId ExpressionParser::structure() {
  const NodeId made = add(NodeKind::structure, take());
  if (accept(TokenKind::right_curly)) return made;
  do {
    const auto first = static_cast<std::uint32_t>(cursor_);
    const NodeId key = expression();
    expect(TokenKind::colon, "Expected COLON");
    const NodeId value = expression();
    append(made, add(NodeKind::member, first, {key, value}));
  } while (accept(TokenKind::comma));
  expect(TokenKind::right_curly, "Expected RIGHT_CURLY");
  return made;
}

NodeId ExpressionParser::call() {
  const std::uint32_t name = take();
  const std::string lower = lowered(tree_.tokens[name].text);
  take();
  if (at(TokenKind::star)) {
    if (lower != "count") fail(tree_.tokens[name].text + "(*) is not allowed");
    take();
    expect(TokenKind::right_paren, "Expected RIGHT_PAREN");
    return add(NodeKind::call_star, name);
  }
  const bool aggregate = contains(aggregates, lower);
  if (aggregate && (at_word("distinct") || at_word("all"))) take();
  if (accept(TokenKind::right_paren)) {
    if (aggregate) fail("Aggregate functions are always unary");
    return add(NodeKind::call, name);
  }
  const NodeId made = expressions(NodeKind::call, name);
  expect(TokenKind::right_paren, "Expected RIGHT_PAREN");
  if (aggregate && !failed() && node(made).children.size() != 1) fail("Aggregate functions are always unary");
  return made;
}

NodeId ExpressionParser::expressions(NodeKind kind, std::uint32_t token) {
  boost::container::small_vector<NodeId, 8> all;
  do {
    all.push_back(expression());
  } while (accept(TokenKind::comma));
  const NodeId made = add(kind, token);
  node(made).children.assign(all.begin(), all.end());
  return made;
}

}  // namespace dinette::dynamodb::partiql
