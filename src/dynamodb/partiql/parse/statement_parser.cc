#include "dynamodb/partiql/parse/statement_parser.h"

#include <algorithm>
#include <array>

namespace dinette::dynamodb::partiql {
namespace {

bool is_operation(const Token& token) {
  return token.kind == TokenKind::keyword &&
         (token.text == "set" || token.text == "remove" || token.text == "insert_into");
}

/// Keywords that end a select list.
bool ends_select_list(const Token& token) {
  constexpr std::array<std::string_view, 5> others = {"update", "delete", "select", "from", "where"};
  return is_operation(token) ||
         (token.kind == TokenKind::keyword && std::ranges::find(others, token.text) != others.end());
}

bool is_name(const Token& token) {
  return token.kind == TokenKind::name || token.kind == TokenKind::quoted_name;
}

bool is_arithmetic(const Token& token) {
  constexpr std::array<std::string_view, 5> signs = {"+", "-", "/", "%", "||"};
  return token.kind == TokenKind::star ||
         (token.kind == TokenKind::operation && std::ranges::find(signs, token.text) != signs.end());
}

}  // namespace

Checked<Tree> StatementParser::parse() {
  tree_.root = expression();
  if (!failed() && !at(TokenKind::end)) {
    if (!accept(TokenKind::semicolon)) fail("Unexpected token after expression");
    if (!failed() && !at(TokenKind::end))
      fail("Unexpected token after semicolon. (Only one query is allowed.)");
  }
  if (!failed() && !nested_.empty())
    fail("Keyword " + nested_ + " only expected at the top level in the query");
  if (failed()) return base::Failure{std::move(refusal_)};
  return std::move(tree_);
}

std::optional<NodeId> StatementParser::statement() {
  // A statement is nested if anything is in front of it.
  const std::string keyword = peek().text;
  const bool nested = &peek() != &tree_.tokens.front();
  const bool writes = keyword != "select";
  std::optional<NodeId> made;
  if (keyword == "select") made = select();
  if (keyword == "update") made = update();
  if (keyword == "delete") made = erase();
  if (keyword == "from") made = update_from();
  if (is_operation(peek()) && !made && !failed()) made = operation();
  if (made && writes && nested && nested_.empty()) nested_ = keyword;
  return made;
}

NodeId StatementParser::select() {
  const NodeId made = add(NodeKind::select, take());
  if (at_word("distinct")) {
    const std::uint32_t word = take();
    add_unsupported(made, word, word);
  } else if (at_word("all")) {
    take();
  }
  if (at_word("value")) {
    const std::uint32_t word = take();
    add_unsupported(made, word, word);
    expression();
  } else {
    append(made, select_list());
  }
  if (!accept_word("from")) fail("Expected FROM after SELECT list");
  from(made);
  return made;
}

NodeId StatementParser::select_list() {
  boost::container::small_vector<NodeId, 8> columns;
  std::optional<NodeId> all;
  do {
    if (at(TokenKind::star)) {
      all = add(NodeKind::select_all, take());
      columns.push_back(*all);
    } else if (ends_select_list(peek())) {
      fail("Expected identifier or an expression but found unexpected keyword '" + peek().text +
           "' in a select list.");
    } else {
      columns.push_back(with_alias(expression()));
    }
  } while (accept(TokenKind::comma));
  if (all && columns.size() == 1) return *all;
  if (all)
    fail("Other expressions may not be present in the select list when '*' is used without dot notation.");
  const NodeId list = add(NodeKind::select_list, 0);
  node(list).children.assign(columns.begin(), columns.end());
  return list;
}

void StatementParser::from(NodeId select) {
  append(select, source());
  clause(select, "let");
  where(select, Precedence::selecting);
  order_by(select);
  group_by(select);
  clause(select, "having");
  clause(select, "limit");
  clause(select, "offset");
}

/// Parses a source. A name followed by an operator is not one: usually it is a table name with a hyphen.
NodeId StatementParser::source() {
  const bool named = is_name(peek());
  const NodeId table = named ? path(false) : expression(Precedence::selecting);
  if (named && is_arithmetic(peek())) refuse("Unexpected from source");
  return joined(with_alias(table));
}

NodeId StatementParser::joined(NodeId left) {
  for (;;) {
    const bool apart = at(TokenKind::comma) || at_word("cross_join");
    const bool on = at_word("join") || at_word("inner_join") || at_word("left_join") ||
                    at_word("right_join") || at_word("outer_join");
    if (!apart && !on) return left;
    const std::uint32_t join = take();
    const NodeId right = with_alias(expression(Precedence::selecting));
    left = add(NodeKind::join, join, {left, right});
    if (!on) continue;
    if (!accept_word("on")) fail("Expected 'ON'");
    expression(Precedence::selecting);
  }
}

void StatementParser::clause(NodeId parent, std::string_view word) {
  if (!at_word(word)) return;
  const std::uint32_t keyword = take();
  const NodeId argument = expression(Precedence::selecting);
  if (!failed()) add_unsupported(parent, keyword, node(argument).token);
}

void StatementParser::order_by(NodeId select) {
  if (!at_word("order")) return;
  const std::uint32_t order = take();
  expect(TokenKind::by, "Expected BY");
  const NodeId made = add(NodeKind::order_by, order);
  do {
    append(made, sort());
  } while (accept(TokenKind::comma));
  append(select, made);
}

NodeId StatementParser::sort() {
  const NodeId by = expression();
  if (failed()) return 0;
  const NodeId made = add(NodeKind::sort, node(by).token, {by});
  if (accept(TokenKind::desc))
    node(made).negated = true;
  else
    accept(TokenKind::asc);
  return made;
}

void StatementParser::group_by(NodeId select) {
  if (!at_word("group")) return;
  const std::uint32_t group = take();
  accept_word("partial");
  expect(TokenKind::by, "Expected BY");
  do {
    with_alias(expression(Precedence::selecting));
  } while (accept(TokenKind::comma));
  add_unsupported(select, group, group);
}

NodeId StatementParser::update() {
  const NodeId made = add(NodeKind::update, take());
  append(made, target());
  operations(made);
  where(made, Precedence::none);
  returning(made);
  return made;
}

NodeId StatementParser::update_from() {
  const NodeId made = add(NodeKind::update, take());
  append(made, source());
  where(made, Precedence::none);
  operations(made);
  returning(made);
  return made;
}

NodeId StatementParser::erase() {
  const NodeId made = add(NodeKind::erase, take());
  if (!accept_word("from")) fail("Expected FROM after DELETE");
  append(made, target());
  where(made, Precedence::none);
  returning(made);
  return made;
}

NodeId StatementParser::target() {
  return with_alias(path(true));
}

void StatementParser::operations(NodeId update) {
  if (!is_operation(peek())) fail("Expected data manipulation");
  while (is_operation(peek())) append(update, operation());
}

NodeId StatementParser::operation() {
  if (at_word("insert_into")) return insert();
  if (at_word("set")) return set();
  const std::uint32_t remove = take();
  return add(NodeKind::remove, remove, {path(true)});
}

NodeId StatementParser::insert() {
  const NodeId made = add(NodeKind::insert, take());
  append(made, path(true));
  if (!accept_word("value")) {
    append(made, expression());
    return made;
  }
  append(made, expression());
  if (at(TokenKind::at)) {
    const std::uint32_t word = take();
    expression();
    add_unsupported(made, word, word);
  }
  if (at_word("on_conflict")) {
    const std::uint32_t word = take();
    if (!accept_word("where")) fail("invalid ON CONFLICT syntax");
    expression();
    if (!accept_word("do_nothing")) fail("invalid ON CONFLICT syntax");
    add_unsupported(made, word, word);
  }
  returning(made);
  return made;
}

NodeId StatementParser::set() {
  const NodeId made = add(NodeKind::set, take());
  do {
    const NodeId to = path(true);
    if (!accept_word("=")) fail("Expected '='");
    const NodeId value = expression();
    if (failed()) return made;
    append(made, add(NodeKind::assignment, node(to).token, {to, value}));
  } while (accept(TokenKind::comma));
  return made;
}

void StatementParser::where(NodeId parent, int precedence) {
  if (!at_word("where")) return;
  const std::uint32_t word = take();
  append(parent, add(NodeKind::where, word, {expression(precedence)}));
}

void StatementParser::returning(NodeId parent) {
  if (!at_word("returning")) return;
  const NodeId made = add(NodeKind::returning, take());
  do {
    const bool pair =
        at_word("modified_old") || at_word("modified_new") || at_word("all_old") || at_word("all_new");
    if (!pair) fail("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    const std::uint32_t what = take();
    const NodeId column = at(TokenKind::star) ? add(NodeKind::select_all, take()) : expression();
    append(made, add(NodeKind::returning_element, what, {column}));
  } while (accept(TokenKind::comma));
  append(parent, made);
}

NodeId StatementParser::with_alias(NodeId named) {
  for (const TokenKind keyword : {TokenKind::as, TokenKind::at, TokenKind::by}) {
    const bool said = at(keyword);
    if (!said && !(keyword == TokenKind::as && is_name(peek()))) continue;
    if (said) take();
    if (!is_name(peek())) {
      constexpr std::array<std::string_view, 3> kinds = {"AS", "AT", "BY"};
      fail("Expected identifier for " +
           std::string(kinds[keyword == TokenKind::as   ? 0
                             : keyword == TokenKind::at ? 1
                                                        : 2]) +
           "-alias");
    }
    named = add(NodeKind::alias, take(), {named});
  }
  return named;
}

void StatementParser::add_unsupported(NodeId parent, std::uint32_t word, std::uint32_t place) {
  const NodeId made = add(NodeKind::unsupported, place);
  node(made).word = word;
  append(parent, made);
}

}  // namespace dinette::dynamodb::partiql
