#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dinette::base {

/// Erases the elements at `positions`, which ascend without duplicates. Moves each element at most once,
/// however many are erased.
template <class Element, class Positions>
void erase_at(std::vector<Element>& elements, const Positions& positions) {
  auto position = positions.begin();
  if (position == positions.end()) return;
  std::size_t kept = *position;
  for (std::size_t i = kept; i < elements.size(); ++i) {
    if (position != positions.end() && *position == i) {
      ++position;
    } else {
      elements[kept++] = std::move(elements[i]);
    }
  }
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(kept), elements.end());
}

}  // namespace dinette::base
