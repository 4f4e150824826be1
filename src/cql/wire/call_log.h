#pragma once

#include <optional>
#include <string_view>

#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/observe/request_counters.h"

#include "cql/wire/call.h"

namespace dinette::cql::wire {

/// Returns the name of an operation, as users write it: "CREATE TABLE".
std::string_view name_of(Operation operation);
std::optional<Operation> operation_of_name(std::string_view name);

/// Returns the name of a class of errors, as clients of Cassandra know it.
std::string_view name_of(ErrorCode code);
std::optional<ErrorCode> error_code_of(std::string_view name);

/// What is observed of calls: counters, lines in the log, recent requests, reports. Thread-safe.
class CallLog {
 public:
  /// The recorders may be null, and must outlive the object.
  CallLog(observe::RecentRequests* recent, observe::Reports* reports);

  /// Gives the call details, if it is to be recorded or logged.
  void take_details(Call& call) const;
  /// Counts, logs and records a call that was answered.
  void add(const Call& call);

  const observe::RequestCounters& counters() const { return counters_; }

 private:
  void log(const Call& call, Call::Steady::duration duration) const;
  void record(const Call& call, Call::Steady::duration duration) const;

  observe::RequestCounters counters_;
  observe::RecentRequests* const recent_;
  observe::Reports* const reports_;
};

}  // namespace dinette::cql::wire
