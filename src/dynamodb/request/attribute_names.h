#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::dynamodb {

/// Names of top-level attributes, ascending, each once; owned by their maker.
using AttributeNames = std::vector<std::string_view>;

inline AttributeNames in_order(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Returns the names of both; `more` must be ascending as well.
template <class Names>
AttributeNames united(const AttributeNames& names, const Names& more) {
  AttributeNames both;
  both.reserve(names.size() + more.size());
  std::set_union(names.begin(), names.end(), more.begin(), more.end(), std::back_inserter(both));
  return both;
}

}  // namespace dinette::dynamodb
