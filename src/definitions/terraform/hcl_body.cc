#include "hcl_body.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace dinette::definitions::hcl {
namespace {

class BodyParser {
 public:
  explicit BodyParser(std::span<const Token> tokens) : tokens_(tokens) {}

  base::Result<Body, SyntaxError> run() {
    Body body;
    if (!parse(body, 0)) return base::Failure{std::move(error_)};
    if (at_ < tokens_.size()) return base::Failure{SyntaxError{line(), "a } is too many"}};
    return body;
  }

 private:
  bool has(std::string_view symbol) const { return at_ < tokens_.size() && tokens_[at_].is(symbol); }
  unsigned line() const {
    if (tokens_.empty()) return 0;
    return tokens_[std::min(at_, tokens_.size() - 1)].line;
  }
  bool fail(std::string reason) {
    error_ = {line(), std::move(reason)};
    return false;
  }
  void skip_newlines() {
    while (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::newline) ++at_;
  }

  /// Reads until the end, or the `}` that ends the body.
  bool parse(Body& body, int depth) {
    if (depth > deepest) return fail("blocks nest deeper than " + std::to_string(deepest) + " levels");
    std::set<std::string_view> names;
    for (skip_newlines(); at_ < tokens_.size() && !has("}"); skip_newlines()) {
      if (tokens_[at_].kind != TokenKind::identifier)
        return fail("a name of a block or an attribute is expected");
      const Token& name = tokens_[at_++];
      if (has("=")) {
        if (!names.insert(name.text).second)
          return fail("the attribute \"" + std::string(name.text) + "\" is there twice");
        ++at_;
        body.attributes.push_back({name.text, expression(), name.line});
      } else if (!block(name, body, depth)) {
        return false;
      }
    }
    return true;
  }

  bool block(const Token& type, Body& body, int depth) {
    Block block{type.text, {}, {}, type.line};
    while (at_ < tokens_.size() &&
           (tokens_[at_].kind == TokenKind::quoted || tokens_[at_].kind == TokenKind::identifier)) {
      block.labels.push_back(tokens_[at_++].text);
    }
    if (!has("{")) return fail("= or { is expected");
    ++at_;
    if (!parse(block.body, depth + 1)) return false;
    if (!has("}")) return fail("a block does not end");
    ++at_;
    body.blocks.push_back(std::move(block));
    return true;
  }

  /// Passes over an expression, which ends with its line unless a bracket is open.
  std::span<const Token> expression() {
    const std::size_t begin = at_;
    int open = 0;
    for (; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      const bool closes = token.is("}") || token.is("]") || token.is(")");
      if (open == 0 && (token.kind == TokenKind::newline || closes)) break;
      if (token.is("{") || token.is("[") || token.is("(")) ++open;
      if (closes) --open;
    }
    return tokens_.subspan(begin, at_ - begin);
  }

  const std::span<const Token> tokens_;
  std::size_t at_ = 0;
  SyntaxError error_;
};

}  // namespace

const Attribute* Body::find(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

base::Result<Body, SyntaxError> body_of(std::span<const Token> tokens) {
  return BodyParser(tokens).run();
}

}  // namespace dinette::definitions::hcl
