#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/http/message.h"
#include "dinette/kv/memory.h"

#include "support/worlds.h"

namespace dinette::bench {

/// A server without a socket. An answer that is no success ends the program.
class InProcessServer {
 public:
  /// From any thread, with a reply of its own.
  void handle(const http::Request& request, http::Response& reply) {
    reply.clear();
    service_.handle(request, reply);
    if (reply.status == 200) return;
    std::fprintf(stderr, "%s\n", reply.body.c_str());
    std::exit(1);
  }

  /// The answer, until the next call.
  const std::string& call(std::string_view operation, std::string_view body) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array<http::Header, 2> headers{{{"Host", "localhost"}, {"X-Amz-Target", target}}};
    handle({.method = "POST", .target = "/", .headers = headers, .body = body, .remote = "bench"}, reply_);
    return reply_.body;
  }

 private:
  base::SystemClock clock_;
  base::SystemIds ids_;
  tenancy::Worlds worlds_{::test::test_worlds(), clock_, ids_};
  dynamodb::Service service_{{}, worlds_, clock_, ids_};
  http::Response reply_;
};

}  // namespace dinette::bench
