#pragma once

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

/// A Dinette process on a free port, started from DINETTE_PROGRAM.
class Program {
 public:
  Program() {
    const char* const given = std::getenv("DINETTE_PROGRAM");
    REQUIRE(given != nullptr);
    std::string path = given;
    std::string option = "--port";
    std::string port = "0";
    char* const arguments[] = {path.data(), option.data(), port.data(), nullptr};
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    REQUIRE(posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    const std::string ready = first_line();
    INFO(ready);
    REQUIRE(ready.starts_with("dinette: ready on http://127.0.0.1:"));
    port_ = static_cast<std::uint16_t>(std::stoul(ready.substr(ready.rfind(':') + 1)));
  }
  ~Program() {
    (void)stop();
    ::close(output_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::uint16_t port() const { return port_; }

  /// Returns its resident memory.
  std::size_t resident_bytes() const {
    std::ifstream status("/proc/" + std::to_string(process_) + "/status");
    for (std::string word; status >> word;) {
      std::size_t kibibytes = 0;
      if (word == "VmRSS:" && status >> kibibytes) return kibibytes * 1024;
    }
    FAIL("the program is gone");
    return 0;
  }

  /// Stops it. Returns true if its exit code is 0.
  bool stop() {
    if (process_ == 0) return false;
    kill(process_, SIGTERM);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  std::string first_line() const {
    std::string line;
    for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) line.push_back(c);
    return line;
  }

  pid_t process_ = 0;
  int output_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace test
