#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::base {

enum class GzipError {
  corrupt,    ///< Not gzip, cut short, wrong check sum, or followed by something else.
  too_large,  ///< Would decompress to more than the limit.
};

/// One gzip member (RFC 1952), compressed for speed.
std::string gzip_compress(std::string_view bytes);

/// Decompresses one or more members. Memory stays within a few times `limit` whatever the input claims.
Result<std::string, GzipError> gzip_decompress(std::string_view bytes, std::size_t limit);

}  // namespace dinette::base
