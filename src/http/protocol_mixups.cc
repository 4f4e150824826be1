#include "http/protocol_mixups.h"

#include "dinette/base/log.h"

namespace dinette::http {
namespace {

constexpr std::string_view tls_to_plain =
    "a client speaks TLS to this port without TLS: its endpoint URL must begin with http://";
constexpr std::string_view plain_to_tls =
    "a client speaks HTTP without TLS to this port with TLS: its endpoint URL must begin with https://";

constexpr std::string_view http2 =
    "a client speaks HTTP/2, and this server HTTP/1.1: with the SDK for JavaScript, set requestHandler to a "
    "NodeHttpHandler";

void count(std::atomic<std::uint64_t>& so_far, std::string_view message, std::string_view remote) {
  const std::uint64_t before = so_far.fetch_add(1, std::memory_order_relaxed);
  if (before % ProtocolMixups::per_warning != 0) return;
  base::log(base::LogLevel::warn, message, {{"remote", remote}, {"times", before + 1}});
}

}  // namespace

void ProtocolMixups::note(Refusal refusal, std::string_view remote) {
  if (refusal == Refusal::tls_to_plain) count(tls_to_plain_, tls_to_plain, remote);
  if (refusal == Refusal::plain_to_tls) count(plain_to_tls_, plain_to_tls, remote);
  if (refusal == Refusal::http2) count(http2_, http2, remote);
}

}  // namespace dinette::http
