#include "cql/frames/compression.h"

#include <lz4.h>
#include <snappy-c.h>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/frames/header.h"

namespace dinette::cql::frames {
namespace {

/// No byte of a compressed body becomes more bytes than this: a longer match of LZ4 takes one for each 255, a
/// copy of Snappy three for each 64.
constexpr std::size_t most_per_byte_of_lz4 = 255;
constexpr std::size_t most_per_byte_of_snappy = 22;

std::string compress_lz4(std::string_view body) {
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(body.size()));
  const std::size_t head = out.size();
  const int size = static_cast<int>(body.size());
  out.resize(head + static_cast<std::size_t>(LZ4_compressBound(size)));
  const int written =
      LZ4_compress_default(body.data(), out.data() + head, size, static_cast<int>(out.size() - head));
  out.resize(head + static_cast<std::size_t>(written));
  return out;
}

std::string compress_snappy(std::string_view body) {
  std::size_t size = snappy_max_compressed_length(body.size());
  std::string out(size, '\0');
  snappy_compress(body.data(), body.size(), out.data(), &size);
  out.resize(size);
  return out;
}

base::Failure<Error> damaged(std::string_view algorithm) {
  return protocol_error("Provided frame does not appear to be " + std::string(algorithm) + " compressed");
}

Answer<void> check_body_size(std::size_t size, std::size_t most) {
  if (size <= most) return {};
  return protocol_error("Request is too big: length " + std::to_string(header_size + size) +
                        " exceeds maximum allowed length " + std::to_string(header_size + most) + ".");
}

Answer<std::string> decompress_lz4(std::string_view compressed, std::size_t most) {
  constexpr std::size_t head = sizeof(std::uint32_t);
  if (compressed.size() < head) return damaged("LZ4");
  const std::size_t size = base::load_big_endian<std::uint32_t>(compressed.data());
  const std::string_view block = compressed.substr(head);
  DINETTE_CHECK(check_body_size(size, most));
  if (size > block.size() * most_per_byte_of_lz4) return damaged("LZ4");
  std::string body(size, '\0');
  const int read = LZ4_decompress_safe(block.data(), body.data(), static_cast<int>(block.size()),
                                       static_cast<int>(body.size()));
  if (read < 0 || static_cast<std::size_t>(read) != size) return damaged("LZ4");
  return body;
}

Answer<std::string> decompress_snappy(std::string_view compressed, std::size_t most) {
  std::size_t size = 0;
  if (snappy_uncompressed_length(compressed.data(), compressed.size(), &size) != SNAPPY_OK)
    return damaged("Snappy");
  DINETTE_CHECK(check_body_size(size, most));
  if (size > compressed.size() * most_per_byte_of_snappy) return damaged("Snappy");
  std::string body(size, '\0');
  if (snappy_uncompress(compressed.data(), compressed.size(), body.data(), &size) != SNAPPY_OK)
    return damaged("Snappy");
  return body;
}

}  // namespace

std::optional<Compression> compression_named(std::string_view name) {
  if (base::equal_ignoring_case(name, "lz4")) return Compression::lz4;
  if (base::equal_ignoring_case(name, "snappy")) return Compression::snappy;
  return std::nullopt;
}

std::string compress(Compression compression, std::string_view body) {
  return compression == Compression::lz4 ? compress_lz4(body) : compress_snappy(body);
}

Answer<std::string> decompress(Compression compression, std::string_view compressed, std::size_t most) {
  return compression == Compression::lz4 ? decompress_lz4(compressed, most)
                                         : decompress_snappy(compressed, most);
}

}  // namespace dinette::cql::frames
