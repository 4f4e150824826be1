#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::dynamodb::ops {

/// Names of top-level attributes, ascending, each once; owned by whoever made them.
using AttributeNames = std::vector<std::string_view>;

inline AttributeNames in_order(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Those of both, which may be in any order.
template <class Names>
AttributeNames united(std::vector<std::string_view> names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return in_order(std::move(names));
}

}  // namespace dinette::dynamodb::ops
