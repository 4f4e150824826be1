#include "dinette/base/gzip.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

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

/// What has been decompressed, at the front of a buffer that grows when a member asks for more: what members
/// say of their sizes is not to be trusted. It is never made smaller, so that many small members cost no more
/// than one large one.
class Output {
 public:
  explicit Output(std::size_t limit) : limit_(limit) {}

  /// Decompresses the first member of `bytes`, and cuts it off.
  Result<void, GzipError> take_member(libdeflate_decompressor& decompressor, std::string_view& bytes) {
    for (;;) {
      std::size_t read = 0;
      std::size_t written = 0;
      const libdeflate_result result =
          libdeflate_gzip_decompress_ex(&decompressor, bytes.data(), bytes.size(), buffer_.data() + used_,
                                        buffer_.size() - used_, &read, &written);
      if (result == LIBDEFLATE_SUCCESS) {
        used_ += written;
        bytes.remove_prefix(read);
        return {};
      }
      if (result != LIBDEFLATE_INSUFFICIENT_SPACE) return Failure{GzipError::corrupt};
      if (buffer_.size() == limit_) return Failure{GzipError::too_large};
      buffer_.resize(std::min(std::max(kFirstRoom, buffer_.size() * 2), limit_));
    }
  }

  std::string finished() && {
    buffer_.resize(used_);
    return std::move(buffer_);
  }

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t used_ = 0;
};

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
  Output output(limit);
  do {
    DINETTE_CHECK(output.take_member(*decompressor, bytes));
  } while (!bytes.empty());
  return std::move(output).finished();
}

}  // namespace dinette::base
