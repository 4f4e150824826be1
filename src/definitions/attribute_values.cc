#include "attribute_values.h"

#include <algorithm>
#include <utility>

namespace dinette::definitions {
namespace {

Node typed(std::string_view type, Node value) {
  return Node::map({{std::string(type), std::move(value)}});
}

bool has_only_texts(const Node& list) {
  return list.is_list() && std::ranges::all_of(list.elements(), &Node::is_text);
}

/// Returns true if `value` is what an attribute value has as the member of that type.
bool fits_type(std::string_view type, const Node& value) {
  if (type == "S" || type == "N" || type == "B") return value.is_text();
  if (type == "SS" || type == "NS" || type == "BS") return has_only_texts(value);
  if (type == "BOOL" || type == "NULL") return value.kind() == Node::Kind::boolean;
  if (type == "L") return value.is_list();
  return type == "M" && value.is_map();
}

Node completed(const Node& value, bool& converted) {
  if (value.members().size() != 1 || !fits_type(value.members()[0].key, value.members()[0].value)) {
    converted = true;
    return attribute_value(value);
  }
  const auto& [type, inner] = value.members()[0];
  if (type == "M") return typed("M", completed_item(inner, converted));
  if (type != "L") return value;
  Node list = Node::list();
  for (const Node& element : inner.elements()) list.append(completed(element, converted));
  return typed("L", std::move(list));
}

}  // namespace

Node attribute_value(const Node& plain) {
  switch (plain.kind()) {
    case Node::Kind::null:
      return typed("NULL", Node::boolean(true));
    case Node::Kind::boolean:
      return typed("BOOL", plain);
    case Node::Kind::number:
      return typed("N", Node::text(plain.scalar()));
    case Node::Kind::text:
      return typed("S", plain);
    case Node::Kind::map:
      return typed("M", attribute_values(plain));
    case Node::Kind::list:
      break;
  }
  Node list = Node::list();
  for (const Node& element : plain.elements()) list.append(attribute_value(element));
  return typed("L", std::move(list));
}

Node attribute_values(const Node& plain_item) {
  Node values = Node::map();
  values.set_place(plain_item.place());
  for (const Node::Member& member : plain_item.members()) {
    values.members().push_back({member.key, attribute_value(member.value)});
  }
  return values;
}

Node completed_item(const Node& item, bool& converted) {
  Node values = Node::map();
  values.set_place(item.place());
  for (const Node::Member& member : item.members()) {
    values.members().push_back({member.key, completed(member.value, converted)});
  }
  return values;
}

}  // namespace dinette::definitions
