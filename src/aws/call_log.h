#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/aws/json_service.h"
#include "dinette/base/clock.h"
#include "dinette/face/request_log.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/observe/request_counters.h"

#include "aws/call.h"
#include "aws/cbor.h"

namespace dinette::aws {

/// What is observed of the calls of a service: counters, lines in the log, recent requests, reports.
/// Thread-safe.
class CallLog {
 public:
  /// `errors`: each is counted separately. `clock`, the real one, and the recorders of `options` must outlive
  /// the object.
  CallLog(const JsonProtocol& protocol, std::vector<observe::RequestCounters::Error> errors,
          const JsonServiceOptions& options, const base::Clock& clock);

  /// Returns who wants a request that begins now.
  Recorded recorded() const {
    return {recent_ && recent_->keeping(), recent_ && recent_->recording(),
            reports_ && reports_->recording()};
  }
  /// Gives the call details, if it is to be recorded or logged. Throws std::bad_alloc.
  static void take_details(Call& call);

  /// Counts, logs and records a call that was answered. Its duration must be known.
  void add(const Call& call);

  /// Logs what is wrong with a body, at most once per second.
  void malformed(const Call& call, const CborError& error);
  void malformed(const Call& call, std::string_view text, simdjson::error_code failed);

  const observe::RequestCounters& counters() const { return log_.counters(); }

 private:
  /// Lets something happen at most once per second.
  class OncePerSecond {
   public:
    bool take(base::TimePoint now) {
      const std::int64_t second = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
      return last_.exchange(second, std::memory_order_relaxed) != second;
    }

   private:
    std::atomic<std::int64_t> last_ = -1;
  };

  bool may_log_malformed();
  void log(const Call& call);
  void record(const Call& call) const;

  const std::vector<std::string_view> names_;  ///< of operations
  face::RequestLog log_;
  const bool log_bodies_;
  observe::RecentRequests* const recent_;
  observe::Reports* const reports_;
  const base::Clock& clock_;
  OncePerSecond malformed_turn_;
};

}  // namespace dinette::aws
