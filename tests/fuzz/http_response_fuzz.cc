// A server's bytes, fed to the client's reader as a whole and in packets, with the same result. The first
// byte chooses the size of the packets, and whether the request was a HEAD.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "http/response_reader.h"

namespace dinette::http {
namespace {

constexpr ClientLimits limits{.header_bytes = 1024, .body_bytes = 4096};

void expect(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  ResponseState state;
  std::optional<ClientResponse> response;
};

Outcome read(std::string_view bytes, std::size_t packet, bool to_head) {
  ResponseReader reader(limits, to_head);
  ResponseState state = ResponseState::need_bytes;
  while (state == ResponseState::need_bytes && !bytes.empty()) {
    state = reader.received(bytes.substr(0, packet));
    bytes.remove_prefix(std::min(packet, bytes.size()));
  }
  if (state == ResponseState::need_bytes) state = reader.ended();
  expect(state != ResponseState::need_bytes);
  Outcome outcome{state, std::nullopt};
  if (state == ResponseState::complete) outcome.response = reader.take();
  return outcome;
}

void compare(std::string_view bytes, std::uint8_t shape) {
  const bool to_head = (shape & 0x80) != 0;
  const Outcome whole = read(bytes, bytes.size() + 1, to_head);
  const Outcome pieces = read(bytes, std::size_t{1} << (shape & 7), to_head);
  // Beast applies the limit of the head to each part that it sees, so results may differ at the limit.
  if (!whole.response || pieces.state == ResponseState::too_large) return;
  expect(pieces.response.has_value());
  expect(whole.response->status_line == pieces.response->status_line);
  expect(whole.response->headers == pieces.response->headers);
  expect(whole.response->body == pieces.response->body);
  expect(whole.response->body.size() <= limits.body_bytes);
}

}  // namespace
}  // namespace dinette::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  dinette::http::compare({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0]);
  return 0;
}
