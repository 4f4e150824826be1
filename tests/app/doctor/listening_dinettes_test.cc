#include "app/doctor/listening_dinettes.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::app::listening_dinettes_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* columns =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

/// A folder like /proc.
struct Proc {
  Proc() { link("self/ns/net", "net:[1]"); }

  void link(const std::string& name, const std::string& target) const {
    fs::create_directories((folder.path() / name).parent_path());
    fs::create_symlink(target, folder.path() / name);
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << columns << text;
  }
  /// Adds a process that has a socket.
  void add(const std::string& process, const std::string& program,
           const std::string& network = "net:[1]") const {
    link(process + "/exe", program);
    link(process + "/ns/net", network);
    link(process + "/fd/5", "socket:[77]");
    link(process + "/fd/1", "/dev/null");
    write(process + "/net/tcp",
          "   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1 0 "
          "100\n"
          "   1: 0100007F:1F41 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 78 1 0 "
          "100\n"
          "   2: 0100007F:1F42 00000000:0000 01 00000000:00000000 00:00000000 00000000     0        0 77 1 0 "
          "100\n"
          "nonsense\n");
  }

  std::vector<std::string> found() const {
    std::vector<std::string> all;
    for (const ListeningDinette& one : listening_dinettes(folder.path()))
      all.push_back(std::to_string(one.process) + " " + one.address + " " + std::to_string(one.port));
    return all;
  }

  ::test::TemporaryFolder folder;
};

using Found = std::vector<std::string>;

TEST_CASE("a Dinette is found by the sockets on which it listens") {
  const Proc proc;
  proc.add("42", "/usr/bin/dinette");
  CHECK(proc.found() == Found{"42 127.0.0.1 8000"});
  proc.write("42/net/tcp6",
             "   0: 00000000000000000000000001000000:1F40 00000000000000000000000000000000:0000 0A "
             "00000000:00000000 00:00000000 00000000     0        0 77 1 0 100\n");
  CHECK(proc.found() == Found{"42 127.0.0.1 8000", "42 ::1 8000"});
}

TEST_CASE("other programs, and those of another network, are passed over") {
  const Proc proc;
  proc.add("1", "/usr/bin/redis-server");
  proc.add("2", "/usr/bin/dinette", "net:[2]");
  proc.add("x3", "/usr/bin/dinette");
  CHECK(proc.found().empty());
  proc.add("4", "/opt/libexec/dinette-full");
  CHECK(proc.found() == Found{"4 127.0.0.1 8000"});
}

TEST_CASE("a system without /proc has none") {
  CHECK(listening_dinettes("/nowhere").empty());
}

}  // namespace
}  // namespace dinette::app::listening_dinettes_test
