#include "dinette/base/sha256.h"

#include <new>

#include <openssl/evp.h>

namespace dinette::base {

Sha256Digest sha256(std::string_view bytes) {
  Sha256Digest digest;
  // It fails for want of memory only.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  return digest;
}

}  // namespace dinette::base
