// Deprecated in favour of digests that are found by name, which take twice as long and need memory.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "dinette/base/md5.h"

#include <openssl/md5.h>

namespace dinette::base {

Md5Digest md5(std::string_view bytes) {
  Md5Digest digest;
  MD5_CTX context;
  MD5_Init(&context);
  MD5_Update(&context, bytes.data(), bytes.size());
  MD5_Final(digest.data(), &context);
  return digest;
}

}  // namespace dinette::base
