// The yardstick of the benchmarks: our own HTTP layer, answering every request with the same body.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "dinette/net/server.h"

namespace {

constexpr std::size_t kDefaultBody = 1024;
constexpr std::string_view kUsage =
    "usage: fixed_answer_server [--port N] [--size BYTES] [--threads N] [--workers N]\n";

bool read_arguments(int argc, char** argv, dinette::net::ServerOptions& options, std::size_t& size) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return false;
    const std::string_view name = argv[i];
    const unsigned long value = std::strtoul(argv[i + 1], nullptr, 10);
    if (name == "--port") {
      options.port = static_cast<std::uint16_t>(value);
    } else if (name == "--size") {
      size = value;
    } else if (name == "--threads") {
      options.threads = static_cast<unsigned>(value);
    } else if (name == "--workers") {
      options.workers = static_cast<unsigned>(value);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  dinette::net::ServerOptions options;
  std::size_t size = kDefaultBody;
  if (!read_arguments(argc, argv, options, size)) {
    std::cerr << kUsage;
    return 2;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  // Shaped as a reply of the service: a body, its type, and the two headers that depend on it.
  const std::string body = "{\"Item\":\"" + std::string(size > 11 ? size - 11 : 0, 'x') + "\"}";
  const std::string headers =
      "x-amzn-RequestId: 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF\r\n"
      "x-amz-crc32: 2745614147\r\n";
  dinette::net::Server server(std::move(options), [&](const auto&, dinette::net::HttpReply& reply) {
    reply.content_type = "application/x-amz-json-1.0";
    reply.headers.append(headers);
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
