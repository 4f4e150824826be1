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
  corrupt,    ///< not of that format, truncated, or with a wrong checksum
  too_large,  ///< would decompress to more than the limit
};

/// Decompressed bytes.
struct Decompressed {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;
  std::size_t runs = 0;  ///< of the decompressor; a test sees that no input is read twice

  std::string_view view() const { return {bytes.get(), size}; }
};

/// Returns `bytes` in one gzip member or one zlib stream, compressed for speed.
std::string compress(Compression format, std::string_view bytes);

/// Decompresses one zlib stream, or one or more gzip members, in one pass. Bytes after them that are no
/// further member are ignored. Reserves `limit` bytes of address space; only pages that are written use
/// memory.
Result<Decompressed, DecompressionError> decompress(Compression format, std::string_view bytes,
                                                    std::size_t limit);

}  // namespace dinette::base
