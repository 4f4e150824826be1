#include "app/doctor/listening_dinettes.h"

#include <array>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include <arpa/inet.h>

namespace dinette::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view listening = "0A";  // of the kernel's states of TCP
constexpr std::size_t hex_of_word = 8;
constexpr int hexadecimal = 16;

std::string target_of(const fs::path& link) {
  std::error_code failed;
  return fs::read_symlink(link, failed).string();
}

/// Returns the number of a process's folder; 0 for other folders.
long process_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  long number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

bool is_dinette(const fs::path& folder) {
  const std::string name = fs::path(target_of(folder / "exe")).filename().string();
  return name == "dinette" || name == "dinette-full";
}

/// Returns "socket:[12345]" for each socket of a process.
std::set<std::string> sockets_of(const fs::path& folder) {
  std::set<std::string> sockets;
  std::error_code failed;
  for (const auto& one : fs::directory_iterator(folder / "fd", failed)) {
    const std::string target = target_of(one.path());
    if (target.starts_with("socket:")) sockets.insert(target);
  }
  return sockets;
}

/// Returns the address of "0100007F" and so on: words of 32 bits in the order of this machine.
std::string address_of(std::string_view hex) {
  std::array<std::uint32_t, 4> words{};
  const std::size_t count = hex.size() / hex_of_word;
  if (count != 1 && count != words.size()) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const char* const begin = hex.data() + i * hex_of_word;
    std::from_chars(begin, begin + hex_of_word, words[i], hexadecimal);
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(count == 1 ? AF_INET : AF_INET6, words.data(), text.data(), text.size());
}

/// Adds the sockets of a table of the kernel that are among those of a process.
void add_listening(const fs::path& table, const std::set<std::string>& sockets, long process,
                   std::vector<ListeningDinette>& found) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries, user, timeout, inode;
    fields >> number >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >> inode;
    const auto colon = local.find(':');
    if (state != listening || colon == std::string::npos || !sockets.contains("socket:[" + inode + "]"))
      continue;
    ListeningDinette one{address_of(std::string_view(local).substr(0, colon)), 0, process};
    std::from_chars(local.data() + colon + 1, local.data() + local.size(), one.port, hexadecimal);
    if (!one.address.empty()) found.push_back(one);
  }
}

}  // namespace

std::vector<ListeningDinette> listening_dinettes(const fs::path& proc) {
  std::vector<ListeningDinette> found;
  const std::string own_network = target_of(proc / "self/ns/net");
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(proc, failed)) {
    const long process = process_of(entry.path());
    if (process == 0 || !is_dinette(entry.path()) || target_of(entry.path() / "ns/net") != own_network)
      continue;
    const auto sockets = sockets_of(entry.path());
    for (const char* table : {"net/tcp", "net/tcp6"})
      add_listening(entry.path() / table, sockets, process, found);
  }
  return found;
}

}  // namespace dinette::app
