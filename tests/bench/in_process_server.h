#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/background.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"
#include "dinette/net/http.h"
#include "dinette/store/store.h"

namespace dinette::bench {

/// A server without a socket. An answer that is no success ends the program.
class InProcessServer {
 public:
  /// From any thread, with a reply of its own.
  void handle(const net::HttpRequest& request, net::HttpReply& reply) {
    reply.clear();
    service_.handle(request, reply);
    if (reply.status == 200) return;
    std::fprintf(stderr, "%s\n", reply.body.c_str());
    std::exit(1);
  }

  /// The answer, until the next call.
  const std::string& call(std::string_view operation, std::string_view body) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array<net::HttpHeader, 2> headers{{{"Host", "localhost"}, {"X-Amz-Target", target}}};
    handle({.method = "POST", .target = "/", .headers = headers, .body = body, .remote = "bench"}, reply_);
    return reply_.body;
  }

 private:
  base::SystemClock clock_;
  base::SystemIds ids_;
  std::unique_ptr<kv::Engine> engine_ = kv::make_memory_engine();
  store::Store store_{*engine_, clock_, ids_, dynamodb::face()};
  base::BackgroundThread background_;
  dynamodb::Service service_{{}, store_, background_, clock_, ids_};
  net::HttpReply reply_;
};

}  // namespace dinette::bench
