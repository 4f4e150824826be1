#include "dinette/base/child_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dinette::base {
namespace {

using Steady = std::chrono::steady_clock;

/// Milliseconds after which the deadline and a stop are looked at again.
constexpr int longest_wait = 50;

/// A pipe between this program and a child.
class ChildPipe {
 public:
  ChildPipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~ChildPipe() {
    close_read_end();
    close_write_end();
  }
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read_end() { close(ends_[0]); }
  void close_write_end() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

/// A program that was started, with its ends of the pipes.
class ChildProgram {
 public:
  ChildProgram(const ProgramCall& call, const std::stop_token& stop)
      : call_(call), stop_(stop), deadline_(Steady::now() + call.timeout) {
    if (call_.input) left_ = *call_.input;
  }

  ProgramResult run() {
    if (const int failure = start(); failure != 0)
      return {.end = ProgramResult::End::not_started, .code = failure};
    auto interrupted = exchange();
    // It may have closed its output, and still run.
    while (!interrupted && !has_ended()) interrupted = wait_a_little();
    if (interrupted) {
      ::kill(call_.own_group ? -child_ : child_, SIGKILL);
      wait_for_end();
    }
    if (interrupted) {
      result_.end = *interrupted;
    } else if (WIFEXITED(status_)) {
      result_.code = WEXITSTATUS(status_);
    } else {
      result_.end = ProgramResult::End::signalled;
      result_.code = WTERMSIG(status_);
    }
    return std::move(result_);
  }

 private:
  /// Starts it with signals as in a new program. Returns the error, or 0.
  int start() {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, output_.write_end(), STDOUT_FILENO);
    if (call_.input) posix_spawn_file_actions_adddup2(&actions, input_.read_end(), STDIN_FILENO);
    if (call_.kept_errors) posix_spawn_file_actions_adddup2(&actions, errors_.write_end(), STDERR_FILENO);
    sigset_t none{};
    sigset_t usual{};
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    const int group = call_.own_group ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    std::vector<std::string> texts = call_.arguments;
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);
    const int failure = texts.empty() ? ENOENT
                                      : posix_spawnp(&child_, arguments.front(), &actions, &attributes,
                                                     arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    input_.close_read_end();
    output_.close_write_end();
    errors_.close_write_end();
    return failure;
  }

  /// Writes the input and reads the output to its end. Returns why that came too early, if it did.
  std::optional<ProgramResult::End> exchange() {
    ::fcntl(input_.write_end(), F_SETFL, O_NONBLOCK);
    if (!call_.input || left_.empty()) input_.close_write_end();
    while (output_.read_end() >= 0 || errors_.read_end() >= 0) {
      if (is_over()) return ProgramResult::End::timed_out;
      // A descriptor below zero is passed over.
      std::array<pollfd, 3> waiting{{{output_.read_end(), POLLIN, 0},
                                     {errors_.read_end(), POLLIN, 0},
                                     {input_.write_end(), POLLOUT, 0}}};
      if (::poll(waiting.data(), waiting.size(), longest_wait) <= 0) continue;
      if (waiting[0].revents != 0) read(output_, result_.output);
      if (waiting[1].revents != 0) read(errors_, result_.errors);
      if (waiting[2].revents != 0) write();
      if (result_.output.size() > call_.most_output) return ProgramResult::End::too_much;
      forget_old_errors();
    }
    return std::nullopt;
  }

  static void read(ChildPipe& pipe, std::string& text) {
    std::array<char, 16 * 1024> part{};
    const ssize_t size = ::read(pipe.read_end(), part.data(), part.size());
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (size == 0 || (size < 0 && errno != EINTR)) pipe.close_read_end();
  }

  void write() {
    const ssize_t size = ::write(input_.write_end(), left_.data(), left_.size());
    if (size > 0) left_.remove_prefix(static_cast<std::size_t>(size));
    const bool gone = size < 0 && errno != EINTR && errno != EAGAIN;
    if (gone || left_.empty()) input_.close_write_end();
  }

  void forget_old_errors() {
    const std::size_t most = call_.kept_errors.value_or(0);
    if (result_.errors.size() > most) result_.errors.erase(0, result_.errors.size() - most);
  }

  bool has_ended() { return waitpid(child_, &status_, WNOHANG) == child_; }

  std::optional<ProgramResult::End> wait_a_little() const {
    ::poll(nullptr, 0, 1);
    if (is_over()) return ProgramResult::End::timed_out;
    return std::nullopt;
  }

  void wait_for_end() {
    while (waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
  }

  bool is_over() const { return stop_.stop_requested() || Steady::now() >= deadline_; }

  const ProgramCall& call_;
  const std::stop_token& stop_;
  const Steady::time_point deadline_;
  std::string_view left_;  ///< of the input
  ChildPipe input_;
  ChildPipe output_;
  ChildPipe errors_;
  pid_t child_ = -1;
  int status_ = 0;
  ProgramResult result_;
};

/// Keeps SIGPIPE from this thread: a child may end without reading its input.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

ProgramResult run_program(const ProgramCall& call, const std::stop_token& stop) {
  const WithoutPipeSignal scope;
  return ChildProgram(call, stop).run();
}

}  // namespace dinette::base
