#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keyspaces/request/api_error.h"
#include "keyspaces/request/token.h"

namespace dinette::keyspaces {

/// A part of a list.
template <class Element>
struct Page {
  std::vector<Element> elements;
  std::optional<std::string> next_token{};
};

/// Returns the elements from the one on at which `token` says that the page begins. `name_of`: what tells
/// them apart, which the token has. What was removed meanwhile ends nothing: its place is that of the names
/// after it.
template <class Element, class NameOf>
Answer<Page<Element>> page_of(TokenKind kind, std::vector<Element> all,
                              const std::optional<std::string>& token, std::size_t most, NameOf name_of) {
  auto first = all.begin();
  if (token) {
    const auto last = unsealed(kind, *token);
    if (!last) return not_valid("Invalid nextToken.", "InvalidFormat");
    // System keyspaces come first, in no order of names.
    const auto found = std::ranges::find_if(all, [&](const Element& one) { return name_of(one) == *last; });
    first = found != all.end()
                ? std::next(found)
                : std::ranges::find_if(all, [&](const Element& one) { return name_of(one) > *last; });
  }
  Page<Element> page;
  const auto left = static_cast<std::size_t>(all.end() - first);
  const auto end = first + static_cast<std::ptrdiff_t>(std::min(left, most));
  if (left > most) page.next_token = sealed(kind, name_of(*std::prev(end)));
  page.elements.assign(std::make_move_iterator(first), std::make_move_iterator(end));
  return page;
}

}  // namespace dinette::keyspaces
