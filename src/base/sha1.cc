// OpenSSL deprecates these functions in favour of digests found by name, which take several times as long and
// allocate.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "dinette/base/sha1.h"

#include <cstring>

#include <openssl/sha.h>

namespace dinette::base {
namespace {

/// RFC 2104 section 2.
constexpr unsigned char inner_pad = 0x36;
constexpr unsigned char outer_pad = 0x5c;
using KeyBlock = std::array<unsigned char, SHA_CBLOCK>;

std::string_view as_text(const Sha1Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// A key that is longer than a block is replaced by its digest.
KeyBlock block_of(std::string_view key) {
  KeyBlock block{};
  if (key.size() > block.size()) return block_of(as_text(sha1(key)));
  if (!key.empty()) std::memcpy(block.data(), key.data(), key.size());
  return block;
}

Sha1Digest digest_after_key(KeyBlock key, unsigned char pad, std::string_view bytes) {
  for (unsigned char& byte : key) byte ^= pad;
  Sha1Digest digest;
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, key.data(), key.size());
  SHA1_Update(&context, bytes.data(), bytes.size());
  SHA1_Final(digest.data(), &context);
  return digest;
}

}  // namespace

Sha1Digest sha1(std::string_view bytes) {
  Sha1Digest digest;
  SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

Sha1Digest hmac_sha1(std::string_view key, std::string_view bytes) {
  const KeyBlock block = block_of(key);
  return digest_after_key(block, outer_pad, as_text(digest_after_key(block, inner_pad, bytes)));
}

}  // namespace dinette::base

#pragma GCC diagnostic pop
