#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
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
  void send(std::string_view operation, std::string_view body,
            std::string_view content_type = "application/x-amz-json-1.0") {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {Header{"Host", "localhost"}, Header{"Content-Type", content_type},
                                Header{"X-Amz-Target", target}};
    post("/", headers, body);
  }
  void send_by_smithy(std::string_view operation, std::string_view body) {
    const std::string path = "/service/DynamoDB_20120810/operation/" + std::string(operation);
    const std::array headers = {Header{"Host", "localhost"}, Header{"Smithy-Protocol", "rpc-v2-cbor"}};
    post(path, headers, body);
  }

 private:
  using Header = dinette::http::Header;

  void post(std::string_view target, std::span<const Header> headers, std::string_view body) {
    dinette::http::Request request;
    request.method = "POST";
    request.target = target;
    request.headers = headers;
    request.body = body;
    dinette::http::Response response;
    service_.handle(request, response);
  }

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
