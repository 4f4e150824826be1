#include "json_body.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dinette::definitions::hcl {
namespace {

constexpr std::string_view comment_key = "//";

bool is_block(const Node::Member& member) {
  constexpr std::array<std::string_view, 3> maps = {"tags", "tags_all", "for_each"};
  if (std::ranges::find(maps, member.key) != maps.end()) return false;
  const std::vector<Node>& elements = member.value.elements();
  return member.value.is_map() || (!elements.empty() && std::ranges::all_of(elements, &Node::is_map));
}

/// Appends a value as an expression. Its texts are templates without escapes, as those of heredocs are.
void append_expression(const Node& value, std::vector<Token>& to) {
  const unsigned line = value.place().line;
  const auto symbol = [&](std::string_view text) { to.push_back({TokenKind::symbol, text, line}); };
  switch (value.kind()) {
    case Node::Kind::null:
      return to.push_back({TokenKind::identifier, "null", line});
    case Node::Kind::boolean:
      return to.push_back({TokenKind::identifier, value.scalar(), line});
    case Node::Kind::number:
      return to.push_back({TokenKind::number, value.scalar(), line});
    case Node::Kind::text:
      return to.push_back({TokenKind::heredoc, value.scalar(), line});
    case Node::Kind::list:
      symbol("[");
      for (const Node& element : value.elements()) {
        append_expression(element, to);
        symbol(",");
      }
      return symbol("]");
    case Node::Kind::map:
      symbol("{");
      for (const Node::Member& member : value.members()) {
        to.push_back({TokenKind::heredoc, member.key, line});
        symbol("=");
        append_expression(member.value, to);
        symbol(",");
      }
      return symbol("}");
  }
}

}  // namespace

JsonBody JsonBody::configuration(const Node& root) {
  struct Kind {
    std::string_view type;
    int labels;
    Context context;
  };
  constexpr std::array<Kind, 5> kinds = {{{"resource", 2, {true, "provider"}},
                                          {"variable", 1, {false, "type"}},
                                          {"locals", 0, {}},
                                          {"provider", 1, {}},
                                          {"module", 1, {}}}};
  JsonBody made;
  for (const Node::Member& member : root.members()) {
    const auto kind = std::ranges::find(kinds, member.key, &Kind::type);
    if (kind != kinds.end())
      made.add_blocks(kind->type, kind->labels, member.value, {}, kind->context, made.body_);
  }
  return made;
}

JsonBody JsonBody::values(const Node& root) {
  JsonBody made;
  made.body_ = made.body_of(root, {});
  return made;
}

/// Labels are keys of objects in objects. Instead of an object there may be a list of them anywhere.
void JsonBody::add_blocks(std::string_view type, int labels_left, const Node& from,
                          const std::vector<std::string_view>& labels, const Context& context, Body& to) {
  for (const Node& element : from.elements()) add_blocks(type, labels_left, element, labels, context, to);
  if (!from.is_map()) return;
  if (labels_left == 0) {
    Body body = body_of(from, context);
    to.blocks.push_back({type, labels, std::move(body), from.place().line});
    return;
  }
  for (const Node::Member& member : from.members()) {
    if (member.key == comment_key) continue;
    auto more = labels;
    more.emplace_back(member.key);
    add_blocks(type, labels_left - 1, member.value, more, context, to);
  }
}

Body JsonBody::body_of(const Node& from, const Context& context) {
  Body body;
  for (const Node::Member& member : from.members()) {
    if (member.key == comment_key) continue;
    if (context.has_blocks && is_block(member)) {
      add_blocks(member.key, 0, member.value, {}, {true, {}}, body);
    } else {
      expressions_.push_back(expression_of(member, context));
      body.attributes.push_back({member.key, expressions_.back(), member.value.place().line});
    }
  }
  return body;
}

std::vector<Token> JsonBody::expression_of(const Node::Member& member, const Context& context) {
  if (member.key == context.bare && member.value.is_text()) {
    if (auto tokens = tokens_of(member.value.scalar(), member.value.place().line))
      return std::move(tokens).value();
  }
  std::vector<Token> tokens;
  append_expression(member.value, tokens);
  return tokens;
}

}  // namespace dinette::definitions::hcl
