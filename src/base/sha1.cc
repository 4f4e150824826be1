#include "dinette/base/sha1.h"

#include <new>

#include <openssl/evp.h>

namespace dinette::base {

Sha1Digest sha1(std::string_view bytes) {
  Sha1Digest digest;
  // Fails only if memory is exhausted.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha1(), nullptr) != 1)
    throw std::bad_alloc();
  return digest;
}

}  // namespace dinette::base
