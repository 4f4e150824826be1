#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/observe/body_text.h"
#include "dinette/observe/request_details.h"

namespace dinette::observe {

/// A request that is being answered, as RecentRequests takes it. Views, which need not outlive the call.
struct AnsweredRequest {
  using Steady = std::chrono::steady_clock;

  const RequestDetails& details;
  Steady::time_point end = {};  ///< when its response was complete
  Steady::duration duration{};
  int status = 0;
  std::string_view id = {};
  std::string_view operation = {};    ///< empty if it names none
  std::string_view error = {};        ///< its type, of static storage; empty: success
  std::string_view remote = {};       ///< the client's address and port
  std::string_view agent = {};        ///< what the client calls itself; empty: it does not say
  std::string_view trace = {};        ///< the trace id; empty if it belongs to no trace
  std::string_view request = {};      ///< its body, unpacked
  std::string_view response = {};     ///< likewise
  std::string_view explanation = {};  ///< JSON; empty: none
  bool is_known = true;               ///< `operation` is of static storage: the name of one that is served
};

/// A request that has been answered.
struct RecentRequest {
  /// The longest agent that is kept, in bytes; more are cut off.
  static constexpr std::size_t most_agent_bytes = 300;

  std::uint64_t number = 0;  ///< counts from 1 in the order of the responses
  base::TimePoint time = {};
  std::string id = {};
  std::string operation = {};  ///< empty if it names none
  int status = 0;
  std::string error = {};  ///< its type; empty: success
  std::chrono::microseconds duration{};
  std::string remote = {};  ///< the client's address and port
  std::string agent = {};   ///< what the client calls itself
  RequestDetails details = {};
  BodyText request = {};
  BodyText response = {};
  std::string explanation = {};  ///< JSON; empty: none
  std::string trace = {};        ///< the trace id, if the request belongs to a trace

  /// Returns a copy, without its number.
  static RecentRequest of(const AnsweredRequest& answered, base::TimePoint time);
  /// Returns its approximate size in memory.
  std::size_t bytes() const;
};

}  // namespace dinette::observe
