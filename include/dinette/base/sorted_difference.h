#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace dinette::base {

/// Returns the elements of `elements` that are not in `others`; both ascend. The cost depends on the length
/// of `elements`, hardly on that of `others`.
template <class Element>
std::vector<Element> sorted_difference(const std::vector<Element>& elements,
                                       const std::vector<Element>& others) {
  std::vector<Element> difference;
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(difference), [&](const Element& element) {
    return !std::binary_search(others.begin(), others.end(), element);
  });
  return difference;
}

}  // namespace dinette::base
