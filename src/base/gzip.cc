#include "dinette/base/gzip.h"

#include <algorithm>
#include <memory>
#include <new>

#include <libdeflate.h>

namespace dinette::base {
namespace {

constexpr int kFastest = 1;
constexpr std::size_t kFirstRoom = 16 * 1024;

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, FreeCompressor>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

/// Decompresses the first member of `bytes` behind `out`, and cuts it off.
Result<void, GzipError> take_member(libdeflate_decompressor& decompressor, std::string_view& bytes,
                                    std::string& out, std::size_t limit) {
  const std::size_t start = out.size();
  // What a member says of its size is not to be trusted, so room is doubled until it is enough.
  for (std::size_t room = std::max(kFirstRoom, bytes.size() * 4);; room *= 2) {
    out.resize(start + std::min(room, limit - start));
    std::size_t read = 0;
    std::size_t written = 0;
    const libdeflate_result result = libdeflate_gzip_decompress_ex(
        &decompressor, bytes.data(), bytes.size(), out.data() + start, out.size() - start, &read, &written);
    if (result == LIBDEFLATE_SUCCESS) {
      out.resize(start + written);
      bytes.remove_prefix(read);
      return {};
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE) return Failure{GzipError::corrupt};
    if (out.size() == limit) return Failure{GzipError::too_large};
  }
}

}  // namespace

std::string gzip_compress(std::string_view bytes) {
  const Compressor compressor(libdeflate_alloc_compressor(kFastest));
  if (!compressor) throw std::bad_alloc();
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<std::string, GzipError> gzip_decompress(std::string_view bytes, std::size_t limit) {
  const Decompressor decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  std::string out;
  do {
    DINETTE_CHECK(take_member(*decompressor, bytes, out, limit));
  } while (!bytes.empty());
  return out;
}

}  // namespace dinette::base
