#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::dynamodb::model {

/// Names of top-level attributes, owned by whoever made them.
using AttributeNames = std::vector<std::string_view>;

/// Ascending, each once.
inline AttributeNames in_order(AttributeNames names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Those of both, all of which are in order.
template <class Names>
AttributeNames united(const AttributeNames& names, const Names& more) {
  AttributeNames both;
  both.reserve(names.size() + more.size());
  std::set_union(names.begin(), names.end(), more.begin(), more.end(), std::back_inserter(both));
  return both;
}

}  // namespace dinette::dynamodb::model
