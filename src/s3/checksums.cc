#include "s3/checksums.h"

#include <cstdint>

#include <boost/crc.hpp>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"
#include "dinette/base/sha1.h"
#include "dinette/base/sha256.h"

namespace dinette::s3 {
namespace {

using Crc64Nvme =
    boost::crc_optimal<64, 0xAD93D23594C93659, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, true, true>;

template <class Crc>
auto crc_of(std::string_view bytes) {
  Crc crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

template <class Unsigned>
std::string in_base64(Unsigned number) {
  std::string bytes;
  base::append_big_endian(bytes, number);
  return base::base64_encode(bytes);
}

template <std::size_t size>
std::string in_base64(const std::array<unsigned char, size>& digest) {
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

std::optional<std::string> checksum(std::string_view name, std::string_view bytes) {
  if (name == "crc32") return in_base64(base::crc32(bytes));
  if (name == "crc32c") return in_base64(base::crc32c(bytes));
  if (name == "crc64nvme") return in_base64(static_cast<std::uint64_t>(crc_of<Crc64Nvme>(bytes)));
  if (name == "sha1") return in_base64(base::sha1(bytes));
  if (name == "sha256") return in_base64(base::sha256(bytes));
  return std::nullopt;
}

}  // namespace dinette::s3
