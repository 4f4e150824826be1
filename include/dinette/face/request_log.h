#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/http/message.h"
#include "dinette/observe/request_counters.h"

namespace dinette::face {

/// A request that was answered. Views, which need not outlive the call.
struct Answered {
  const http::Request& request;
  const http::Response& response;
  std::chrono::nanoseconds duration;
  /// Positions among the operations and errors of the face's counters; nothing for none.
  std::optional<std::size_t> operation = {};
  std::optional<std::size_t> error = {};
  std::string_view error_name = {};  ///< for the log; empty: success
  /// The message of the error in the response, for the log, which takes at most most_message_bytes of
  /// it; empty: nothing. Without contents of items, unless the log may show them.
  std::string_view error_message = {};
  std::string_view id = {};                   ///< empty: requests of this face have none
  std::size_t request_bytes = 0;              ///< of the body; unpacked, if it was compressed
  std::span<const base::LogField> what;       ///< what was asked for, at the beginning of the line
  std::span<const base::LogField> more = {};  ///< at its end
};

/// Counts requests, and logs a line for each at level info. Thread-safe.
class RequestLog {
 public:
  /// The longest error message in a line, in bytes; more are cut off.
  static constexpr std::size_t most_message_bytes = 500;

  /// `message`: of the lines; of static storage. For the others see observe::RequestCounters.
  RequestLog(std::string_view message, std::string_view service, std::vector<std::string_view> operations,
             std::vector<observe::RequestCounters::Error> errors)
      : message_(message), counters_(service, std::move(operations), std::move(errors)) {}

  void add(const Answered& answered) {
    count(answered.operation, answered.error, answered.duration);
    if (base::log_enabled(base::LogLevel::info)) log(answered);
  }

  /// Only counts: where nothing is logged, for what need not even be put together.
  void count(std::optional<std::size_t> operation, std::optional<std::size_t> error,
             std::chrono::nanoseconds duration) {
    counters_.count(operation, error, duration);
  }

  const observe::RequestCounters& counters() const { return counters_; }

 private:
  void log(const Answered& answered) const;

  const std::string_view message_;
  observe::RequestCounters counters_;
};

}  // namespace dinette::face
