#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "s3/error.h"

namespace dinette::s3 {

/// Some bytes of an object.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;  ///< at least 1
};

/// Reads the header Range. Returns nothing if it is not one range of bytes, which servers ignore (RFC 9110
/// section 14.2), and fails with Code::invalid_range if none of them is in an object of `size` bytes.
Outcome<std::optional<Range>> read_range(std::string_view header, std::uint64_t size);

}  // namespace dinette::s3
