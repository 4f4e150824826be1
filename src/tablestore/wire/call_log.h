#pragma once

#include "dinette/face/request_log.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"

#include "tablestore/wire/call.h"

namespace dinette::tablestore::wire {

/// What is observed of calls: counters, lines in the log, recent requests, reports. Bodies are not: they are
/// in no form that people read. Thread-safe.
class CallLog {
 public:
  /// The recorders may be null, and must outlive the object.
  CallLog(observe::RecentRequests* recent, observe::Reports* reports);

  /// Gives the call details, if it is to be recorded or logged.
  void take_details(Call& call) const;
  /// Counts, logs and records a call that was answered.
  void add(const Call& call);

  const observe::RequestCounters& counters() const { return log_.counters(); }

 private:
  void record(const Call& call, Call::Steady::duration duration) const;

  face::RequestLog log_;
  observe::RecentRequests* const recent_;
  observe::Reports* const reports_;
};

}  // namespace dinette::tablestore::wire
