#include "tablestore/request/sealed_text.h"

#include <cstdint>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"

namespace dinette::tablestore {

std::string sealed(std::string_view content) {
  std::string bytes(content);
  base::append_big_endian(bytes, base::crc32(content));
  return base::base64_encode(bytes);
}

std::optional<std::string> unsealed(std::string_view text) {
  auto bytes = base::base64_decode(text);
  if (!bytes || bytes->size() < sizeof(std::uint32_t)) return std::nullopt;
  const std::size_t size = bytes->size() - sizeof(std::uint32_t);
  const auto checksum = base::load_big_endian<std::uint32_t>(bytes->data() + size);
  bytes->resize(size);
  if (checksum != base::crc32(*bytes)) return std::nullopt;
  return bytes;
}

}  // namespace dinette::tablestore
