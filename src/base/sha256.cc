#include "dinette/base/sha256.h"

#include <new>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace dinette::base {
namespace {

/// Returns the algorithm, fetched once because that takes longer than a digest.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = [] {
    const EVP_MD* found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return found ? found : throw std::bad_alloc();
  }();
  return fetched;
}

}  // namespace

Sha256Digest sha256(std::string_view bytes) {
  Sha256Digest digest;
  // Fails only if memory is exhausted.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, algorithm(), nullptr) != 1)
    throw std::bad_alloc();
  return digest;
}

Sha256Digest hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256Digest digest{};
  unsigned int size = digest.size();
  if (HMAC(algorithm(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(),
           &size) == nullptr)
    throw std::bad_alloc();
  return digest;
}

void prepare_sha256() {
  static_cast<void>(algorithm());
}

}  // namespace dinette::base
