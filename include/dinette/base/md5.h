#pragma once

#include <array>
#include <memory>
#include <string_view>

namespace dinette::base {

/// 16 bytes.
using Md5Digest = std::array<unsigned char, 16>;

/// Returns the MD5 digest. Does not allocate. Not for anything that must resist forgery.
Md5Digest md5(std::string_view bytes);

/// Computes the same digest of bytes that come in parts.
class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;

  void add(std::string_view bytes);
  /// Returns the digest. Must be called last, and only once.
  Md5Digest digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dinette::base
