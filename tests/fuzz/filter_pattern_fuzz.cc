#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lambda/filters/filter_pattern.h"

/// A filter pattern, and after a line feed the record that it is applied to.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace lambda = dinette::lambda;
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::array patterns{input.substr(0, end)};
  const auto criteria = lambda::FilterCriteria::read(patterns);
  if (criteria) criteria->admit(input.substr(std::min(end + 1, input.size())));
  return 0;
}
