#include "kv/postgres_relay.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace dinette::test {
namespace {

constexpr const char* socket_name = ".s.PGSQL.5432";
constexpr int turn = 50;  // milliseconds, after which it looks whether it is to end

sockaddr_un address_in(const std::filesystem::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / socket_name).c_str(), sizeof address.sun_path - 1);
  return address;
}

int new_socket() {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

bool write_all(int socket, const char* bytes, ssize_t size) {
  while (size > 0) {
    const ssize_t written = ::send(socket, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (written <= 0) return false;
    bytes += written;
    size -= written;
  }
  return true;
}

}  // namespace

PostgresRelay::PostgresRelay(const std::filesystem::path& sockets)
    : target_(sockets), listener_(new_socket()) {
  const sockaddr_un address = address_in(folder_.path());
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 64) != 0)
    throw std::runtime_error("the relay cannot listen");
  thread_ = std::thread([this] { listen(); });
}

PostgresRelay::~PostgresRelay() {
  ends_ = true;
  thread_.join();
  for (std::thread& connection : connections_) connection.join();
  close(listener_);
}

std::string PostgresRelay::url() const {
  return "postgresql:///dinette?user=dinette&host=" + folder_.path().string();
}

void PostgresRelay::listen() {
  while (!ends_) {
    pollfd waited{listener_, POLLIN, 0};
    if (poll(&waited, 1, turn) <= 0) continue;
    const int client = accept(listener_, nullptr, nullptr);
    if (client < 0) continue;
    const std::lock_guard guard(mutex_);
    connections_.emplace_back([this, client] { serve(client); });
  }
}

void PostgresRelay::serve(int client) {
  const int server = new_socket();
  const sockaddr_un address = address_in(target_);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    pass_on(client, server);
  close(client);
  close(server);
}

void PostgresRelay::pass_on(int client, int server) {
  std::array<char, 256 * 1024> bytes;
  bool cuts_answer = false;
  bool client_was_last = false;
  while (!ends_) {
    pollfd waited[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (poll(waited, 2, turn) <= 0) continue;
    if (waited[0].revents != 0) {
      const ssize_t size = read(client, bytes.data(), bytes.size());
      if (size <= 0) return;
      if (!client_was_last) ++trips_;
      client_was_last = true;
      const Cut cut = cut_.exchange(Cut::none);
      if (cut == Cut::before) return;
      cuts_answer = cuts_answer || cut == Cut::after;
      if (!write_all(server, bytes.data(), size)) return;
    }
    if (waited[1].revents != 0) {
      const ssize_t size = read(server, bytes.data(), bytes.size());
      if (size <= 0 || cuts_answer) return;
      client_was_last = false;
      if (!write_all(client, bytes.data(), size)) return;
    }
  }
}

}  // namespace dinette::test
