#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dinette::tcp {

/// How long a test waits for what must happen. A passing test never waits that long.
inline constexpr int patience_seconds = 60;

/// A client that sends given bytes. May be used by any thread, one at a time.
class Socket {
 public:
  explicit Socket(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    timeval patience{.tv_sec = patience_seconds, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  virtual ~Socket() { ::close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool connected() const { return connected_; }
  int descriptor() const { return socket_; }

  /// Returns true if all bytes were taken.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = write_some(bytes);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  /// Returns the next `size` bytes; fewer if the connection ended before.
  std::string receive_bytes(std::size_t size) {
    while (pending_.size() < size && read_more()) {
    }
    std::string bytes = pending_.substr(0, size);
    pending_.erase(0, size);
    return bytes;
  }

  /// Returns what arrives up to the next `mark`, including it; empty if the connection ended before.
  std::string receive_to(std::string_view mark) {
    std::size_t end = 0;
    while ((end = pending_.find(mark)) == std::string::npos) {
      if (!read_more()) return "";
    }
    return receive_bytes(end + mark.size());
  }

  /// Returns true if the server closes the connection and sends nothing more.
  bool closed_by_server() { return pending_.empty() && !read_more() && ended_; }

  /// Returns true if something, or the end, can be read now.
  bool readable() const {
    pollfd one{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&one, 1, 0) > 0;
  }

  void half_close() { ::shutdown(socket_, SHUT_WR); }

 protected:
  virtual ssize_t read_some(char* buffer, std::size_t size) { return ::recv(socket_, buffer, size, 0); }
  virtual ssize_t write_some(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

 private:
  bool read_more() {
    char buffer[64 * 1024];
    const ssize_t n = read_some(buffer, sizeof buffer);
    if (n <= 0) {
      ended_ = n == 0 || errno == ECONNRESET;  // not a timeout
      return false;
    }
    pending_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string pending_;
};

}  // namespace dinette::tcp
