#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::base {

/// A program to run, and what it may use.
struct ProgramCall {
  std::vector<std::string> arguments;       ///< its name, which is looked up in PATH, comes first
  std::optional<std::string_view> input{};  ///< of standard input; nothing: that of this program
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  std::size_t most_output = 64 * 1024;  ///< bytes of standard output
  /// Bytes of standard error that are kept, the last ones; nothing: it goes to where that of this program
  /// goes.
  std::optional<std::size_t> kept_errors{};
  /// It runs in a process group of its own, and programs that it has started are ended with it if it takes
  /// too long. Otherwise Ctrl-C in a terminal ends it, too.
  bool own_group = false;
};

struct ProgramResult {
  enum class End : std::uint8_t {
    exited,       ///< with `code`
    signalled,    ///< by the signal `code`
    not_started,  ///< because of the error `code`, such as ENOENT
    timed_out,    ///< it was ended, also because a stop was requested
    too_much,     ///< it was ended because it had written too much
  };
  End end = End::exited;
  int code = 0;
  std::string output = {};
  std::string errors = {};

  bool succeeded() const { return end == End::exited && code == 0; }
};

/// Runs a program to its end, or until the time is over, or shortly after a stop is requested. A program that
/// does not read its input is not disturbed. Blocks; must not be called on an event loop.
///
///     const auto result = run_program({.arguments = {"node", "handler.js"}, .input = event});
ProgramResult run_program(const ProgramCall& call, const std::stop_token& stop = {});

}  // namespace dinette::base
