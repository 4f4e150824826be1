#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dinette::aws {

/// A time in the form of AWS JSON: epoch seconds with a fraction of milliseconds.
struct Timestamp {
  std::int64_t milliseconds = 0;
};

/// Members of a map in the order of the text.
template <class Value>
using Entries = std::vector<std::pair<std::string, Value>>;

}  // namespace dinette::aws
