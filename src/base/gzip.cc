#include "dinette/base/gzip.h"

#include <algorithm>
#include <limits>
#include <new>

#include <zlib.h>

namespace dinette::base {
namespace {

constexpr int kGzipFraming = 15 + 16;  // Largest window, gzip header and trailer.
constexpr int kMemoryLevel = 8;        // zlib's default.
constexpr std::size_t kFirstRoom = 16 * 1024;

// zlib counts in unsigned int.
uInt piece(std::size_t n) {
  return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max()));
}

Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(
      const_cast<char*>(bytes.data()));  // zlib reads only, its type is older than const.
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kGzipFraming) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipFraming, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  z_stream stream{};
};

// Points the stream's output at the unused end of `out`, of which `used` bytes are filled.
void offer_room(z_stream& stream, std::string& out, std::size_t used) {
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
  stream.avail_out = piece(out.size() - used);
}

}  // namespace

std::string gzip_compress(std::string_view bytes) {
  Deflater deflater;
  z_stream& stream = deflater.stream;
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::size_t used = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    stream.next_in = input_of(bytes);
    stream.avail_in = piece(bytes.size());
    offer_room(stream, out, used);
    const uInt offered_in = stream.avail_in;
    const uInt offered_out = stream.avail_out;
    status = deflate(&stream, offered_in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(offered_in - stream.avail_in);
    used += offered_out - stream.avail_out;
    if (used == out.size() && status != Z_STREAM_END) out.resize(out.size() + kFirstRoom);
  }
  out.resize(used);
  return out;
}

Result<std::string, GzipError> gzip_decompress(std::string_view bytes, std::size_t limit) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string out;
  std::size_t used = 0;
  for (;;) {
    // One byte beyond the limit is offered, so that "just fits" and "too large" differ.
    if (used == out.size()) out.resize(std::min(std::max(kFirstRoom, out.size() * 2), limit + 1));
    stream.next_in = input_of(bytes);
    stream.avail_in = piece(bytes.size());
    offer_room(stream, out, used);
    const uInt offered_in = stream.avail_in;
    const uInt offered_out = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    bytes.remove_prefix(offered_in - stream.avail_in);
    used += offered_out - stream.avail_out;
    if (used > limit) return Failure{GzipError::too_large};
    if (status == Z_STREAM_END) {
      if (bytes.empty()) break;
      if (inflateReset(&stream) != Z_OK) return Failure{GzipError::corrupt};
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      return Failure{GzipError::corrupt};  // Z_BUF_ERROR, no progress, is an input cut short.
    }
  }
  out.resize(used);
  return out;
}

}  // namespace dinette::base
