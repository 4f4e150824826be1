// What the kernel alone costs: one thread that waits, reads, finds the end of a request and writes the same
// bytes each time. No HTTP library, no deadlines, no limits; it trusts all callers.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fixed_answer.h"

namespace {

constexpr std::string_view length = "content-length: ";
constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr std::size_t read_bytes = 64 * 1024;
constexpr int max_events = 256;

struct Connection {
  int socket;
  std::string unread;
};

void must(bool ok, const char* what) {
  if (ok) return;
  perror(what);
  std::exit(1);
}

/// Bytes of the request that `text` begins with; 0 while a part of it is missing.
std::size_t request_size(std::string_view text) {
  const auto end = text.find(end_of_head);
  if (end == std::string_view::npos) return 0;
  std::size_t size = end + end_of_head.size();
  if (const auto at = text.find(length); at < end) {
    std::size_t body = 0;
    std::from_chars(text.data() + at + length.size(), text.data() + end, body);
    size += body;
  }
  return text.size() < size ? 0 : size;
}

/// False when the peer is gone.
bool write_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Reads what there is and answers what is whole. False when the peer is gone.
bool serve(Connection& connection, std::string_view answer) {
  static char room[read_bytes];
  const ssize_t count = ::recv(connection.socket, room, sizeof room, 0);
  if (count <= 0) return false;
  std::string_view text(room, static_cast<std::size_t>(count));
  if (!connection.unread.empty()) text = connection.unread.append(text);
  while (const std::size_t size = request_size(text)) {
    if (!write_all(connection.socket, answer)) return false;
    text.remove_prefix(size);
  }
  connection.unread = std::string(text);
  return true;
}

int listen_on(std::uint16_t& port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  must(::bind(listener, any, size) == 0 && ::listen(listener, SOMAXCONN) == 0, "listen");
  ::getsockname(listener, any, &size);
  port = ntohs(address.sin_port);
  return listener;
}

void watch(int epoll, int socket, void* of) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = of;
  must(::epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0, "epoll_ctl");
}

void accept_one(int epoll, int listener) {
  const int socket = ::accept(listener, nullptr, nullptr);
  if (socket < 0) return;
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  watch(epoll, socket, new Connection{socket, {}});
}

[[noreturn]] void serve_all(int epoll, int listener, std::string_view answer) {
  epoll_event events[max_events];
  while (true) {
    const int count = ::epoll_wait(epoll, events, max_events, -1);
    for (int i = 0; i < count; ++i) {
      auto* connection = static_cast<Connection*>(events[i].data.ptr);
      if (connection == nullptr) {
        accept_one(epoll, listener);
      } else if (!serve(*connection, answer)) {
        ::close(connection->socket);
        delete connection;
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::uint16_t port = 0;
  std::size_t size = bench::default_body;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc || (name != "--port" && name != "--size")) {
      std::cerr << "usage: epoll_answer_server [--port N] [--size BYTES]\n";
      return 2;
    }
    const unsigned long value = std::strtoul(argv[i + 1], nullptr, 10);
    if (name == "--port") port = static_cast<std::uint16_t>(value);
    if (name == "--size") size = value;
  }
  // As many bytes as the fixed-answer server sends.
  std::string answer =
      "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: Sat, 31 Jan 2026 08:15:00 GMT\r\nContent-Type: ";
  answer.append(bench::content_type).append("\r\nContent-Length: ").append(std::to_string(size));
  answer.append("\r\nConnection: keep-alive\r\n").append(bench::headers).append("\r\n");
  answer += bench::body_of(size);
  const int listener = listen_on(port);
  const int epoll = ::epoll_create1(0);
  watch(epoll, listener, nullptr);
  std::cout << "listening on 127.0.0.1:" << port << std::endl;
  serve_all(epoll, listener, answer);
}
