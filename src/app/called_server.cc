#include "app/called_server.h"

#include <cstdlib>
#include <utility>

namespace dinette::app {
namespace {

using base::Failure;

std::string environment(const char* name, std::string_view fallback = "") {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::string(fallback) : value;
}

}  // namespace

base::Result<tcp::Remote, std::string> read_url(std::string_view url) {
  auto read = http::parse_url(url);
  if (!read || read->target != "/")
    return Failure{"'" + std::string(url) + "' is not the URL of a server, such as http://127.0.0.1:8000"};
  return std::move(read->server);
}

base::Result<tcp::Remote, std::string> read_host_and_port(std::string_view text) {
  auto server = http::parse_host_and_port(text, 0);
  if (!server)
    return Failure{"'" + std::string(text) +
                   "' is neither the URL of a server nor HOST:PORT, such as http://127.0.0.1:8000 or "
                   "localhost:8000"};
  return *std::move(server);
}

aws::SigningIdentity identity_of_environment() {
  return {.access_key = environment("AWS_ACCESS_KEY_ID", "dinette"),
          .secret = environment("AWS_SECRET_ACCESS_KEY", "dinette"),
          .session_token = environment("AWS_SESSION_TOKEN"),
          .region = environment("AWS_REGION", environment("AWS_DEFAULT_REGION", "us-east-1"))};
}

}  // namespace dinette::app
