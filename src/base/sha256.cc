#include "dinette/base/sha256.h"

#include <new>

#include <openssl/evp.h>

namespace dinette::base {

Sha256Digest sha256(std::string_view bytes) {
  Sha256Digest digest;
  auto* out = reinterpret_cast<unsigned char*>(digest.data());
  // It fails for want of memory only.
  if (EVP_Digest(bytes.data(), bytes.size(), out, nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  return digest;
}

}  // namespace dinette::base
