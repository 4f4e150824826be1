// The yardstick of the benchmarks: our own HTTP layer, answering every request with the same body.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "dinette/http/server.h"

#include "fixed_answer.h"

namespace {

constexpr std::string_view usage =
    "usage: fixed_answer_server [--port N] [--size BYTES] [--threads N] [--workers N] [--tls]\n";

bool read_arguments(int argc, char** argv, dinette::http::ServerOptions& options, std::size_t& size) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--tls") {
      options.tcp.listen.tls.emplace();
      continue;
    }
    if (++i == argc) return false;
    const unsigned long value = std::strtoul(argv[i], nullptr, 10);
    if (name == "--port") {
      options.tcp.listen.port = static_cast<std::uint16_t>(value);
    } else if (name == "--size") {
      size = value;
    } else if (name == "--threads") {
      options.tcp.threads = static_cast<unsigned>(value);
    } else if (name == "--workers") {
      options.tcp.workers = static_cast<unsigned>(value);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  dinette::http::ServerOptions options;
  std::size_t size = bench::default_body;
  if (!read_arguments(argc, argv, options, size)) {
    std::cerr << usage;
    return 2;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const std::string body = bench::body_of(size);
  dinette::http::Server server(std::move(options), [&](const auto&, dinette::http::Response& reply) {
    reply.content_type = bench::content_type;
    reply.headers.append(bench::headers);
    reply.body.append(body);
  });
  const auto port = server.start();
  if (!port) {
    std::cerr << port.error() << "\n";
    return 1;
  }
  std::cout << "listening on 127.0.0.1:" << *port << std::endl;
  int signal = 0;
  sigwait(&signals, &signal);
  server.stop(std::chrono::seconds(5));
  return 0;
}
