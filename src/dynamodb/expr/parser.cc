#include "dynamodb/expr/parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/reserved_words.h"

namespace dinette::dynamodb::expr {
namespace {

// Reported with the count at which the service stops counting.
std::string too_many_operators() {
  return "The expression contains too many operators; operator count: " +
         std::to_string(model::limits::expression_operators + 1);
}

}  // namespace

Parser::Parser(Kind kind, std::string_view text) : text_(text), tokens_(tokenize(kind, text)) {
  parsed_.kind = kind;
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

void Parser::expect(TokenKind kind) {
  if (!accept(kind)) fail();
}

Token Parser::take() {
  const Token token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

void Parser::fail() {
  if (!failed()) stop(syntax_error(text_, tokens_, position_));
}

void Parser::stop(std::string message) {
  if (!failed()) refusal_ = std::move(message);
  position_ = tokens_.size() - 1;
}

void Parser::note(Problem problem, std::string message) {
  std::string& first = problems_[static_cast<std::size_t>(problem)];
  if (first.empty()) first = std::move(message);
}

void Parser::count_operator() {
  if (++operators_ > model::limits::expression_operators) note(Problem::operators, too_many_operators());
}

bool Parser::enter_call() {
  expect(TokenKind::open_paren);
  count_operator();
  if (++open_calls_ <= model::limits::expression_operators) return true;
  stop(too_many_operators());
  return false;
}

void Parser::leave_call() {
  --open_calls_;
  expect(TokenKind::close_paren);
}

Path Parser::path() {
  const auto first = static_cast<Slot>(parsed_.elements.size());
  parsed_.elements.push_back(name_element());
  while (true) {
    if (accept(TokenKind::dot)) {
      parsed_.elements.push_back(name_element());
    } else if (accept(TokenKind::open_bracket)) {
      parsed_.elements.push_back(index_element());
    } else {
      break;
    }
  }
  const auto count = static_cast<Slot>(parsed_.elements.size() - first);
  if (count > model::limits::path_elements) {
    note(Problem::path,
         "The document path has too many nesting elements; nesting levels: " + std::to_string(count));
  }
  return {first, count};
}

PathElement Parser::name_element() {
  if (!at(TokenKind::identifier) && !at(TokenKind::name)) {
    fail();
    return {false, 0};
  }
  const Token token = take();
  if (token.kind == TokenKind::identifier && is_reserved_word(token.text)) {
    note(Problem::reserved_word,
         "Attribute name is a reserved keyword; reserved keyword: " + std::string(token.text));
  }
  return {false, name_slot(token)};
}

PathElement Parser::index_element() {
  const Token token = peek();
  expect(TokenKind::number);
  expect(TokenKind::close_bracket);
  std::uint32_t index = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, index);
  if (error != std::errc{} || stop != end || index > model::limits::list_index) {
    note(Problem::path,
         "List index is not within the allowable range; index: [" + std::string(token.text) + "]");
  }
  return {true, index};
}

Slot Parser::name_slot(const Token& token) {
  const auto known = std::ranges::find(parsed_.names, token.text, &Name::text);
  if (known != parsed_.names.end()) return static_cast<Slot>(known - parsed_.names.begin());
  parsed_.names.push_back({std::string(token.text), token.kind == TokenKind::name});
  return static_cast<Slot>(parsed_.names.size() - 1);
}

Slot Parser::value_slot(const Token& token) {
  const auto known = std::ranges::find(parsed_.values, token.text);
  if (known != parsed_.values.end()) return static_cast<Slot>(known - parsed_.values.begin());
  parsed_.values.emplace_back(token.text);
  return static_cast<Slot>(parsed_.values.size() - 1);
}

Slot Parser::path_slot(Path path) {
  parsed_.paths.push_back(path);
  return static_cast<Slot>(parsed_.paths.size() - 1);
}

void Parser::note_misused_function(std::string_view function) {
  note(Problem::function, "The function is not allowed to be used this way in an expression; function: " +
                              std::string(function));
}

void Parser::note_unknown_function(std::string_view function) {
  note(Problem::unknown_function, "Invalid function name; function: " + std::string(function));
}

void Parser::note_foreign_function(std::string_view function) {
  constexpr std::array<std::string_view, 6> expressions = {
      "a condition expression",  "a filter expression",        "an update expression",
      "a projection expression", "a key condition expression", "a search condition expression"};
  note(Problem::function, "The function is not allowed in " +
                              std::string(expressions.at(static_cast<std::size_t>(kind()))) +
                              "; function: " + std::string(function));
}

void Parser::note_operand_count(std::string_view function, std::size_t count) {
  note(Problem::function, "Incorrect number of operands for operator or function; operator or function: " +
                              std::string(function) + ", number of operands: " + std::to_string(count));
}

void Parser::note_not_a_path(std::string_view function) {
  note(Problem::function,
       "Operator or function requires a document path; operator or function: " + std::string(function));
}

std::optional<std::string> Parser::finish() {
  expect(TokenKind::end);
  if (failed()) return std::move(refusal_);
  for (std::string& problem : problems_) {
    if (!problem.empty()) return std::move(problem);
  }
  return std::nullopt;
}

void parse_projection(Parser& parser) {
  parser.parsed().form = ProjectionAst{};
  do {
    const Path path = parser.path();
    parser.parsed().targets.push_back(path);
  } while (parser.accept(TokenKind::comma));
}

namespace {

std::string prefix(Kind kind) {
  return "Invalid " + std::string(member_name(kind)) + ": ";
}

std::optional<std::string> refuse_size(std::string_view text, SizeTail tail) {
  if (text.empty()) return "The expression can not be empty;";
  if (text.size() <= model::limits::expression_bytes) return std::nullopt;
  std::string message = "Expression size has exceeded the maximum allowed size;";
  if (tail == SizeTail::printed) message += " expression size: " + std::to_string(text.size());
  return message;
}

void parse_kind(Parser& parser) {
  switch (parser.kind()) {
    case Kind::condition:
    case Kind::filter:
    case Kind::key_condition:
    case Kind::search_condition:
      return parse_condition(parser);
    case Kind::update:
      return parse_update(parser);
    case Kind::projection:
      return parse_projection(parser);
  }
}

}  // namespace

base::Result<ParsedRef, ExpressionError> parse(Kind kind, std::string_view text, SizeTail tail) {
  // The size comes first: an over-long expression with a syntax error reports its size
  // (docs/service/expressions.md 3).
  if (auto problem = refuse_size(text, tail)) return base::Failure{ExpressionError{prefix(kind) + *problem}};
  Parser parser(kind, text);
  parse_kind(parser);
  if (auto problem = parser.finish()) return base::Failure{ExpressionError{prefix(kind) + *problem}};
  return std::make_shared<const Parsed>(std::move(parser.parsed()));
}

std::size_t Parsed::footprint() const {
  std::size_t bytes = sizeof(Parsed) + elements.capacity() * sizeof(PathElement) +
                      (paths.capacity() + targets.capacity()) * sizeof(Path) +
                      names.capacity() * sizeof(Name) + values.capacity() * sizeof(std::string);
  if (const auto* condition = std::get_if<ConditionAst>(&form)) {
    bytes += condition->nodes.capacity() * sizeof(ConditionNode) +
             condition->operands.capacity() * sizeof(Operand);
  } else if (const auto* update = std::get_if<UpdateAst>(&form)) {
    bytes += update->nodes.capacity() * sizeof(ValueNode) + update->actions.capacity() * sizeof(Action);
  }
  return bytes;
}

}  // namespace dinette::dynamodb::expr
