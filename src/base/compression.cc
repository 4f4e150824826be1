#include "dinette/base/compression.h"

#include <new>

#include <libdeflate.h>

namespace dinette::base {
namespace {

constexpr int fastest = 1;
constexpr std::string_view member_start = "\x1f\x8b";  // RFC 1952 section 2.3.1

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, FreeCompressor>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

/// Decompresses the first member of `bytes` and removes it. libdeflate cannot continue after it ran out of
/// output space, so it gets all that is allowed: a second run would start over.
Result<void, DecompressionError> take_member(libdeflate_decompressor& decompressor, Compression format,
                                             std::string_view& bytes, Decompressed& out, std::size_t limit) {
  const auto decompress_one = format == Compression::gzip ? &libdeflate_gzip_decompress_ex  //
                                                          : &libdeflate_zlib_decompress_ex;
  std::size_t read = 0;
  std::size_t written = 0;
  ++out.runs;
  switch (decompress_one(&decompressor, bytes.data(), bytes.size(), out.bytes.get() + out.size,
                         limit - out.size, &read, &written)) {
    case LIBDEFLATE_SUCCESS:
      out.size += written;
      bytes.remove_prefix(read);
      return {};
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return Failure{DecompressionError::too_large};
    default:
      return Failure{DecompressionError::corrupt};
  }
}

}  // namespace

std::string compress(Compression format, std::string_view bytes) {
  const Compressor compressor(libdeflate_alloc_compressor(fastest));
  if (!compressor) throw std::bad_alloc();
  const bool gzip = format == Compression::gzip;
  const auto bound = gzip ? &libdeflate_gzip_compress_bound : &libdeflate_zlib_compress_bound;
  const auto compress_all = gzip ? &libdeflate_gzip_compress : &libdeflate_zlib_compress;
  std::string out(bound(compressor.get(), bytes.size()), '\0');
  out.resize(compress_all(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<Decompressed, DecompressionError> decompress(Compression format, std::string_view bytes,
                                                    std::size_t limit) {
  const Decompressor decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  Decompressed out;
  out.bytes = std::make_unique_for_overwrite<char[]>(limit);
  do {
    DINETTE_CHECK(take_member(*decompressor, format, bytes, out, limit));
  } while (format == Compression::gzip && bytes.starts_with(member_start));
  return out;
}

}  // namespace dinette::base
