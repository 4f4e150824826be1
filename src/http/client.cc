#include "dinette/http/client.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/http/message.h"
#include "dinette/tcp/address.h"

#include "http/response_reader.h"

namespace dinette::http {
namespace {

using base::Failure;
using base::Result;

constexpr std::size_t read_bytes = 16 * 1024;
constexpr std::size_t most_bytes_with_head = 16 * 1024;
constexpr std::uint16_t plain_port = 80;
constexpr std::uint16_t tls_port = 443;

ClientError error_of(tcp::StreamError error) {
  switch (error) {
    case tcp::StreamError::unreachable:
      return ClientError::unreachable;
    case tcp::StreamError::no_tls:
      return ClientError::no_tls;
    case tcp::StreamError::untrusted:
      return ClientError::untrusted;
    case tcp::StreamError::timed_out:
      return ClientError::timed_out;
    case tcp::StreamError::broken:
      break;
  }
  return ClientError::broken;
}

ClientError error_of(ResponseState state) {
  switch (state) {
    case ResponseState::not_http:
      return ClientError::not_http;
    case ResponseState::too_large:
      return ClientError::too_large;
    default:
      return ClientError::broken;
  }
}

std::string head_of(const tcp::Remote& server, const ClientRequest& request) {
  std::string text = request.method + " " + request.target + " HTTP/1.1\r\n";
  text += "Host: " + host_of(server) + "\r\nConnection: close\r\n";
  // A server may ask for the length of what has a body by its method.
  if (!request.body.empty() || request.method == "PUT" || request.method == "POST")
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  return text + request.headers + "\r\n";
}

/// Sends a short body together with the head; a long one is not copied for that.
Result<void, tcp::StreamError> send(tcp::Stream& stream, const tcp::Remote& server,
                                    const ClientRequest& request) {
  std::string text = head_of(server, request);
  const bool is_short = request.body.size() <= most_bytes_with_head;
  if (is_short) text += request.body;
  DINETTE_CHECK(stream.write(text));
  if (is_short) return {};
  return stream.write(request.body);
}

Result<ClientResponse, ClientError> receive(tcp::Stream& stream, ResponseReader& reader) {
  std::array<char, read_bytes> room;
  ResponseState state = ResponseState::need_bytes;
  while (state == ResponseState::need_bytes) {
    const auto received = stream.read(room);
    if (!received) return Failure{error_of(received.error())};
    state = *received == 0 ? reader.ended() : reader.received({room.data(), *received});
  }
  if (state != ResponseState::complete) return Failure{error_of(state)};
  return reader.take();
}

}  // namespace

std::optional<std::string_view> ClientResponse::header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [&](const auto& line) { return same_header_name(line.first, name); });
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

std::string host_of(const tcp::Remote& server) {
  // A default port is left out, as browsers and SDKs do: a service may compare the name, or sign it.
  if (server.port != (server.tls ? tls_port : plain_port))
    return tcp::host_and_port(server.host, server.port);
  return server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
}

Result<ClientResponse, ClientError> fetch(const tcp::Remote& server, const ClientRequest& request,
                                          const ClientLimits& limits, std::stop_token stop) {
  auto stream =
      tcp::Stream::connect(server, std::chrono::steady_clock::now() + limits.timeout, std::move(stop));
  if (!stream) return Failure{error_of(stream.error())};
  const auto sent = send(*stream, server, request);
  // A server may refuse a request and close while the request is being sent. Its response still counts.
  if (!sent && sent.error() != tcp::StreamError::broken) return Failure{error_of(sent.error())};
  ResponseReader reader(limits, request.method == "HEAD");
  return receive(*stream, reader);
}

}  // namespace dinette::http
