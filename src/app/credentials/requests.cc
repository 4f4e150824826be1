#include "app/credentials/requests.h"

#include <algorithm>

namespace dinette::app {
namespace {

std::string_view words_of(http::ClientError error) {
  switch (error) {
    case http::ClientError::unreachable:
      return "does not answer";
    case http::ClientError::no_tls:
      return "does not speak TLS";
    case http::ClientError::untrusted:
      return "has a certificate that is not trusted; AWS_CA_BUNDLE names a file of other authorities";
    case http::ClientError::timed_out:
      return "did not answer in time";
    case http::ClientError::broken:
      return "closed the connection";
    case http::ClientError::not_http:
      return "does not answer in HTTP";
    case http::ClientError::too_large:
      break;
  }
  return "sent too long a response";
}

}  // namespace

base::Result<http::ClientResponse, std::string> send_request(const CredentialSurroundings& surroundings,
                                                             const tcp::Remote& server,
                                                             const http::ClientRequest& request,
                                                             std::chrono::milliseconds timeout) {
  auto response =
      surroundings.fetch(server, request, {.timeout = timeout, .body_bytes = most_credential_bytes});
  if (response) return std::move(response).value();
  return base::Failure{http::host_of(server) + " " + std::string(words_of(response.error()))};
}

std::string without_line_end(std::string_view text) {
  return std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

bool is_one_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace dinette::app
