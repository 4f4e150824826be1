#include "dinette/definitions/node.h"

#include <algorithm>

namespace dinette::definitions {
namespace {

void append_quoted(std::string_view text, std::string& to) {
  constexpr std::string_view digits = "0123456789abcdef";
  to += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (byte < 0x20) {
      to += "\\u00";
      to += digits[byte >> 4U];
      to += digits[byte & 0xFU];
    } else {
      to += c;
    }
  }
  to += '"';
}

void append_json(const Node& node, std::string& to);

void append_elements(const std::vector<Node>& elements, std::string& to) {
  to += '[';
  for (const Node& element : elements) {
    if (&element != elements.data()) to += ',';
    append_json(element, to);
  }
  to += ']';
}

void append_members(const std::vector<Node::Member>& members, std::string& to) {
  to += '{';
  for (const Node::Member& member : members) {
    if (&member != members.data()) to += ',';
    append_quoted(member.key, to);
    to += ':';
    append_json(member.value, to);
  }
  to += '}';
}

void append_json(const Node& node, std::string& to) {
  switch (node.kind()) {
    case Node::Kind::null:
      to += "null";
      return;
    case Node::Kind::boolean:
    case Node::Kind::number:
      to += node.scalar();
      return;
    case Node::Kind::text:
      append_quoted(node.scalar(), to);
      return;
    case Node::Kind::list:
      append_elements(node.elements(), to);
      return;
    case Node::Kind::map:
      append_members(node.members(), to);
      return;
  }
}

}  // namespace

std::string Place::text() const {
  if (!file) return {};
  return line == 0 ? *file : *file + ", line " + std::to_string(line);
}

Node Node::text(std::string value) {
  Node node;
  node.kind_ = Kind::text;
  node.scalar_ = std::move(value);
  return node;
}

Node Node::boolean(bool value) {
  Node node;
  node.kind_ = Kind::boolean;
  node.scalar_ = value ? "true" : "false";
  return node;
}

Node Node::number(std::string digits) {
  Node node;
  node.kind_ = Kind::number;
  node.scalar_ = std::move(digits);
  return node;
}

// No default arguments: clang 14 would need Member, which is not complete there.
Node Node::list() {
  return list({});
}

Node Node::list(std::vector<Node> values) {
  Node node;
  node.kind_ = Kind::list;
  node.elements_ = std::move(values);
  return node;
}

Node Node::map() {
  return map({});
}

Node Node::map(std::vector<Member> members) {
  Node node;
  node.kind_ = Kind::map;
  node.members_ = std::move(members);
  return node;
}

std::string_view Node::kind_name() const {
  switch (kind_) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::number:
      return "number";
    case Kind::text:
      return "text";
    case Kind::list:
      return "list";
    case Kind::map:
      return "map";
  }
  return {};
}

const Node* Node::find(std::string_view key) const {
  const auto found = std::ranges::find(members_, key, &Member::key);
  return found == members_.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
  const auto found = std::ranges::find(members_, key, &Member::key);
  return found == members_.end() ? nullptr : &found->value;
}

void Node::set(std::string_view key, Node value) {
  if (is_null()) kind_ = Kind::map;
  if (Node* const there = find(key)) {
    *there = std::move(value);
  } else {
    members_.push_back({std::string(key), std::move(value)});
  }
}

void Node::erase(std::string_view key) {
  std::erase_if(members_, [key](const Member& member) { return member.key == key; });
}

void Node::append(Node value) {
  if (is_null()) kind_ = Kind::list;
  elements_.push_back(std::move(value));
}

bool operator==(const Node& left, const Node& right) {
  if (left.kind_ != right.kind_ || left.scalar_ != right.scalar_ || left.elements_ != right.elements_)
    return false;
  return left.members_.size() == right.members_.size() &&
         std::ranges::all_of(left.members_, [&right](const Node::Member& member) {
           const Node* const other = right.find(member.key);
           return other != nullptr && *other == member.value;
         });
}

std::string to_json(const Node& node) {
  std::string json;
  append_json(node, json);
  return json;
}

}  // namespace dinette::definitions
