#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "http/refusal.h"

namespace dinette::http {

/// Warns that a client and a server disagree about TLS or the version of HTTP: the client's own error rarely
/// says so. Thread-safe.
class ProtocolMixups {
 public:
  /// Of each kind, the first is logged, and then one in this many.
  static constexpr std::uint64_t per_warning = 1000;

  /// Does nothing for refusals that have another cause.
  void note(Refusal refusal, std::string_view remote);

 private:
  std::atomic<std::uint64_t> tls_to_plain_{0};
  std::atomic<std::uint64_t> plain_to_tls_{0};
  std::atomic<std::uint64_t> http2_{0};
};

}  // namespace dinette::http
