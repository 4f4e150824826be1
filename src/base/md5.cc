// OpenSSL deprecates these functions in favour of digests found by name, which take twice as long and
// allocate.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "dinette/base/md5.h"

#include <cstdint>
#include <cstring>

#include <boost/endian/conversion.hpp>
#include <openssl/md5.h>

namespace dinette::base {
namespace {

using boost::endian::store_little_u32;
using boost::endian::store_little_u64;

constexpr unsigned char end_mark = 0x80;

/// RFC 1321 section 3: the text, the end mark, zeros, and the length in bits, lowest byte first.
constexpr std::size_t most_bytes_of_one_block = MD5_CBLOCK - 1 - sizeof(std::uint64_t);

/// Computes it directly: the general functions take as much time again to keep and wipe a state.
Md5Digest md5_of_one_block(std::string_view bytes) {
  unsigned char block[MD5_CBLOCK] = {};
  if (!bytes.empty()) std::memcpy(block, bytes.data(), bytes.size());
  block[bytes.size()] = end_mark;
  store_little_u64(block + MD5_CBLOCK - sizeof(std::uint64_t), bytes.size() * 8);
  MD5_CTX context;
  MD5_Init(&context);
  MD5_Transform(&context, block);
  Md5Digest digest;
  store_little_u32(digest.data(), context.A);
  store_little_u32(digest.data() + 4, context.B);
  store_little_u32(digest.data() + 8, context.C);
  store_little_u32(digest.data() + 12, context.D);
  return digest;
}

}  // namespace

Md5Digest md5(std::string_view bytes) {
  if (bytes.size() <= most_bytes_of_one_block) return md5_of_one_block(bytes);
  Md5Digest digest;
  MD5_CTX context;
  MD5_Init(&context);
  MD5_Update(&context, bytes.data(), bytes.size());
  MD5_Final(digest.data(), &context);
  return digest;
}

struct Md5::State {
  MD5_CTX context;
};

Md5::Md5() : state_(std::make_unique<State>()) {
  MD5_Init(&state_->context);
}

Md5::~Md5() = default;

void Md5::add(std::string_view bytes) {
  MD5_Update(&state_->context, bytes.data(), bytes.size());
}

Md5Digest Md5::digest() {
  Md5Digest digest;
  MD5_Final(digest.data(), &state_->context);
  return digest;
}

}  // namespace dinette::base

#pragma GCC diagnostic pop
