#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::base {

enum class Compression {
  gzip,  ///< RFC 1952
  zlib,  ///< RFC 1950
};

enum class DecompressionError {
  corrupt,    ///< Not of that format, cut short, or with a wrong check sum.
  too_large,  ///< Would decompress to more than the limit.
};

/// What has been decompressed.
struct Decompressed {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::size_t runs = 0;  ///< Of the decompressor; a test sees that no input is read twice.

  std::string_view view() const { return {bytes.get(), size}; }
};

/// Returns `bytes` in one gzip member or one zlib stream, compressed for speed.
std::string compress(Compression format, std::string_view bytes);

/// Decompresses one zlib stream, or one or more gzip members, reading the input once. What follows and is no
/// further member is ignored. Reserves `limit` bytes of memory, of which only those written are used.
Result<Decompressed, DecompressionError> decompress(Compression format, std::string_view bytes,
                                                    std::size_t limit);

}  // namespace dinette::base
