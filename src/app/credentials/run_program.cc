#include "app/credentials/run_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/credentials/credentials.h"

namespace dinette::app {
namespace {

using base::Failure;
using Clock = std::chrono::steady_clock;

/// A pipe that a child writes to.
class OutputPipe {
 public:
  OutputPipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~OutputPipe() {
    close_write_end();
    ::close(ends_[0]);
  }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Starts a command whose signals are as in a new program, so that Ctrl-C ends it.
int start_program(const std::string& command, const OutputPipe& output, pid_t& child) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  sigset_t none{};
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::string text = command;
  std::string shell = "sh";
  std::string option = "-c";
  const std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  const int failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/// Reads until the end, the deadline, or too much; returns false for the last two.
bool read_all(int descriptor, Clock::time_point deadline, std::string& text) {
  std::array<char, 4096> part{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready == 0) return false;
    const ssize_t size = ready > 0 ? ::read(descriptor, part.data(), part.size()) : -1;
    if (size == 0) return true;
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (text.size() > most_credential_bytes) return false;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

base::Result<std::string, std::string> run_program(const std::string& command,
                                                   std::chrono::milliseconds patience) {
  OutputPipe output;
  pid_t child = -1;
  if (start_program(command, output, child) != 0) return Failure{std::string("cannot be started")};
  output.close_write_end();
  std::string text;
  const bool whole = read_all(output.read_end(), Clock::now() + patience, text);
  if (!whole) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  if (!whole) return Failure{std::string("did not end in time, or printed too much")};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  if (WIFEXITED(status)) return Failure{"failed with exit code " + std::to_string(WEXITSTATUS(status))};
  return Failure{std::string("was ended by a signal")};
}

}  // namespace dinette::app
