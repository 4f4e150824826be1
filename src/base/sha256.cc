// OpenSSL deprecates these functions in favour of digests found by name, which allocate, and load about 2 MB
// when the first one is looked for.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "dinette/base/sha256.h"

#include <new>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

namespace dinette::base {

Sha256Digest sha256(std::string_view bytes) {
  Sha256Digest digest;
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &context);
  return digest;
}

Sha256Digest hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256Digest digest{};
  unsigned int size = digest.size();
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(),
           &size) == nullptr)
    throw std::bad_alloc();
  return digest;
}

void prepare_hmac_sha256() {
  static_cast<void>(hmac_sha256("", ""));
}

}  // namespace dinette::base

#pragma GCC diagnostic pop
