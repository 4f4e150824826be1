#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"

#include "support/worlds.h"

namespace test {

/// The whole server but for sockets, for targets that send it requests.
class Server {
 public:
  void send(std::string_view operation, std::string_view body) {
    using dinette::http::Header;
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {Header{"Host", "localhost"}, Header{"X-Amz-Target", target}};
    dinette::http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = body;
    dinette::http::Response response;
    service_.handle(request, response);
  }

 private:
  dinette::base::ManualClock clock_;
  dinette::base::SeededIds ids_{1};
  dinette::tenancy::Worlds worlds_{test_worlds(), clock_, ids_};
  dinette::dynamodb::Service service_{{}, worlds_, clock_, ids_};
};

/// Splits an input into the name of an operation, its first line, and the body.
inline std::pair<std::string_view, std::string_view> operation_and_body(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  return {input.substr(0, end), input.substr(std::min(end + 1, input.size()))};
}

/// Returns a server with what its constructor makes; another one after many inputs, so that what they have
/// stored does not grow without end.
template <class PreparedServer>
PreparedServer& server_for_next_input() {
  constexpr int inputs_per_server = 10'000;
  static std::unique_ptr<PreparedServer> server;
  static int inputs = 0;
  if (inputs++ % inputs_per_server == 0) server = std::make_unique<PreparedServer>();
  return *server;
}

}  // namespace test
