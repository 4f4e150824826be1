#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace dinette::observe {

/// The beginning of a body.
struct BodyText {
  static constexpr std::size_t most_bytes = 16 * 1024;

  std::string text = {};
  std::size_t bytes = 0;  ///< of the whole body

  static BodyText of(std::string_view body) { return {std::string(body.substr(0, most_bytes)), body.size()}; }
  bool cut() const { return text.size() < bytes; }
};

}  // namespace dinette::observe
