#pragma once

#include <string>
#include <string_view>

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// Returns the text of a scalar member; empty if there is none.
inline std::string text_at(const Node& map, std::string_view key) {
  const Node* const member = map.find(key);
  return member != nullptr && member->is_scalar() ? member->scalar() : std::string();
}

/// Returns true if the member is there and neither null, an empty text nor an empty list.
inline bool is_set_at(const Node& map, std::string_view key) {
  const Node* const member = map.find(key);
  if (member == nullptr || member->is_null()) return false;
  if (member->is_text()) return !member->scalar().empty();
  return !member->is_list() || !member->elements().empty();
}

/// Returns true if the member is a number other than 0, or a text of one.
inline bool is_positive_at(const Node& map, std::string_view key) {
  const std::string digits = text_at(map, key);
  return digits.find_first_of("123456789") != std::string::npos && !digits.starts_with('-');
}

/// Sets the member `new_key` of `to` if `from` has `key` and it is set.
inline void copy_member(const Node& from, std::string_view key, Node& to, std::string_view new_key) {
  if (is_set_at(from, key)) to.set(new_key, *from.find(key));
}

}  // namespace dinette::definitions
