#include "hcl_expression.h"

#include <algorithm>
#include <utility>

#include "hcl_template.h"

namespace dinette::definitions::hcl {
namespace {

using base::Failure;

/// Remembers how deep values are in others while it lives.
class Depth {
 public:
  explicit Depth(int& depth) : depth_(depth) { ++depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { --depth_; }

 private:
  int& depth_;
};

Failure<std::string> not_literal(std::string_view what) {
  return Failure<std::string>(std::string(what));
}

std::size_t nodes_of(const Node& node) {
  std::size_t count = 1;
  for (const Node& element : node.elements()) count += nodes_of(element);
  for (const Node::Member& member : node.members()) count += nodes_of(member.value);
  return count;
}

Node as_set(Node list) {
  std::ranges::sort(list.elements(), {}, &Node::scalar);
  list.elements().erase(std::unique(list.elements().begin(), list.elements().end()), list.elements().end());
  return list;
}

/// Returns the value that a step leads to; null if there is none.
const Node* follow(const Node& from, const Node& key) {
  if (from.is_map()) return from.find(key.scalar());
  const std::string& digits = key.scalar();
  if (!from.is_list() || digits.empty() || digits.size() > 6 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return nullptr;
  const std::size_t index = std::stoul(digits);
  return index < from.elements().size() ? &from.elements()[index] : nullptr;
}

}  // namespace

bool ExpressionReader::take(std::string_view symbol) {
  if (!has(symbol)) return false;
  ++at_;
  return true;
}

void ExpressionReader::skip_newlines() {
  while (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::newline) ++at_;
}

ExpressionReader::Outcome<Value> ExpressionReader::run() {
  DINETTE_TRY(Value value, expression());
  skip_newlines();
  if (at_ < tokens_.size()) return not_literal("operator \"" + std::string(tokens_[at_].text) + '"');
  return value;
}

ExpressionReader::Outcome<Value> ExpressionReader::expression() {
  const Depth depth(evaluator_.depth_);
  if (evaluator_.depth_ > deepest)
    return not_literal("values that refer to each other in a circle, or nest too deep");
  if (!evaluator_.charge(1)) return not_literal("values that are too large");
  skip_newlines();
  return term();
}

ExpressionReader::Outcome<Node> ExpressionReader::known() {
  DINETTE_TRY(Value value, expression());
  if (!value.reference.empty())
    return Failure<std::string>(value.reference + ", which is known only when it is made");
  return std::move(value.node);
}

ExpressionReader::Outcome<Value> ExpressionReader::term() {
  if (at_ >= tokens_.size()) return not_literal("an expression that is not complete");
  const Token& token = tokens_[at_++];
  switch (token.kind) {
    case TokenKind::number:
      return Value{Node::number(std::string(token.text)), {}};
    case TokenKind::quoted:
      return evaluator_.evaluate_template(token.text, true, token.line, instance_);
    case TokenKind::heredoc:
      return evaluator_.evaluate_template(token.text, false, token.line, instance_);
    case TokenKind::indented_heredoc:
      return evaluator_.evaluate_template(without_indentation(token.text), false, token.line, instance_);
    case TokenKind::identifier:
      return name(token);
    case TokenKind::symbol:
    case TokenKind::newline:
      break;
  }
  if (token.is("[")) return list();
  if (token.is("{")) return object();
  if (token.is("-") && at_ < tokens_.size() && tokens_[at_].kind == TokenKind::number)
    return Value{Node::number('-' + std::string(tokens_[at_++].text)), {}};
  if (token.is("(")) {
    DINETTE_TRY(Value value, expression());
    skip_newlines();
    if (!take(")")) return not_literal("an operator");
    return value;
  }
  return not_literal("operator \"" + std::string(token.text) + '"');
}

ExpressionReader::Outcome<Value> ExpressionReader::list() {
  Node list = Node::list();
  for (skip_newlines(); !take("]"); skip_newlines()) {
    if (at_ < tokens_.size() && tokens_[at_].text == "for") return not_literal("a for expression");
    DINETTE_TRY(Node element, known());
    list.append(std::move(element));
    skip_newlines();
    if (!take(",") && !has("]")) return not_literal("an operator in a list");
  }
  return Value{std::move(list), {}};
}

ExpressionReader::Outcome<std::string> ExpressionReader::object_key() {
  if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::identifier)
    return std::string(tokens_[at_++].text);
  DINETTE_TRY(const Node key, known());
  if (!key.is_scalar()) return not_literal("a key that is no text");
  return key.scalar();
}

ExpressionReader::Outcome<Value> ExpressionReader::object() {
  Node object = Node::map();
  for (skip_newlines(); !take("}"); skip_newlines()) {
    if (at_ < tokens_.size() && tokens_[at_].text == "for") return not_literal("a for expression");
    DINETTE_TRY(const std::string key, object_key());
    if (!take("=") && !take(":")) return not_literal("a map without = or :");
    DINETTE_TRY(Node value, known());
    if (!evaluator_.charge(object.members().size())) return not_literal("values that are too large");
    object.set(key, std::move(value));
    const bool comma = take(",");
    const bool newline = at_ < tokens_.size() && tokens_[at_].kind == TokenKind::newline;
    if (!comma && !newline && !has("}")) return not_literal("an operator in a map");
  }
  return Value{std::move(object), {}};
}

ExpressionReader::Outcome<Value> ExpressionReader::call(std::string_view function) {
  const bool is_conversion = function == "toset" || function == "tolist" || function == "tomap";
  if (!is_conversion && function != "jsonencode")
    return not_literal("function \"" + std::string(function) + '"');
  DINETTE_TRY(Node argument, known());
  skip_newlines();
  if (!take(")")) return not_literal("an operator in an argument");
  if (function == "jsonencode") return Value{Node::text(to_json(argument)), {}};
  return Value{function == "toset" ? as_set(std::move(argument)) : std::move(argument), {}};
}

ExpressionReader::Outcome<std::vector<ExpressionReader::Step>> ExpressionReader::steps() {
  std::vector<Step> steps;
  while (has(".") || has("[")) {
    if (take(".")) {
      if (at_ >= tokens_.size() || tokens_[at_].is("*")) return not_literal("a splat expression");
      steps.push_back({Node::text(std::string(tokens_[at_++].text))});
    } else {
      ++at_;
      if (has("*")) return not_literal("a splat expression");
      DINETTE_TRY(Node key, known());
      skip_newlines();
      if (!key.is_scalar() || !take("]")) return not_literal("an index that is not literal");
      steps.push_back({std::move(key), true});
    }
  }
  return steps;
}

ExpressionReader::Outcome<Value> ExpressionReader::name(const Token& first) {
  if (first.text == "true" || first.text == "false") return Value{Node::boolean(first.text == "true"), {}};
  if (first.text == "null") return Value{};
  if (take("(")) return call(first.text);
  DINETTE_TRY(const std::vector<Step> path, steps());
  std::size_t used = 0;
  DINETTE_TRY(Value value, named(first.text, path, used));
  for (; used < path.size() && value.reference.empty(); ++used) {
    const Node* const inner = follow(value.node, path[used].key);
    if (inner == nullptr) return not_literal('"' + path[used].key.scalar() + "\", which is not there");
    if (!evaluator_.charge(nodes_of(*inner))) return not_literal("values that are too large");
    value.node = Node(*inner);
  }
  return value;
}

ExpressionReader::Outcome<Value> ExpressionReader::named(std::string_view root, const std::vector<Step>& path,
                                                         std::size_t& used) {
  const std::string& first = path.empty() ? std::string() : path.front().key.scalar();
  if (path.empty()) return not_literal('"' + std::string(root) + '"');
  used = 1;
  if (root == "var") return evaluator_.variable(first);
  if (root == "local") return evaluator_.local(first);
  if (root == "each" && instance_.key) {
    if (!evaluator_.charge(nodes_of(instance_.value))) return not_literal("values that are too large");
    return Value{first == "key" ? *instance_.key : instance_.value, {}};
  }
  if (root == "count" && instance_.key) return Value{*instance_.key, {}};
  for (const std::string_view other : {"data", "module", "each", "count", "path", "terraform", "self"}) {
    if (root == other) return not_literal(std::string(root) + '.' + first);
  }
  return resource(root, path, used);
}

ExpressionReader::Outcome<Value> ExpressionReader::resource(std::string_view type,
                                                            const std::vector<Step>& path,
                                                            std::size_t& used) {
  const std::string address = std::string(type) + '.' + path.front().key.scalar();
  std::optional<Node> key;
  if (path.size() > used && path[used].is_index) key = path[used++].key;
  if (path.size() <= used) return not_literal(address);
  const std::string attribute = path[used++].key.scalar();
  return evaluator_.resource_attribute(address, key, attribute);
}

}  // namespace dinette::definitions::hcl
