#include "dinette/base/secret.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <openssl/crypto.h>
#include <sys/random.h>
#include <unistd.h>

#include "dinette/base/ascii.h"

namespace dinette::base {

std::string make_secret() {
  std::array<unsigned char, 16> bytes;
  if (getentropy(bytes.data(), bytes.size()) != 0)
    throw std::system_error(errno, std::system_category(), "no random bytes");
  return hex(bytes);
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace dinette::base
