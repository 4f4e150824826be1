#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/pending.h"
#include "dinette/observe/request_details.h"
#include "dinette/tenancy/world.h"

#include "cql/error.h"
#include "cql/frames/requests.h"
#include "cql/wire/frame_reader.h"
#include "cql/wire/log_in.h"
#include "cql/wire/runner.h"

namespace dinette::cql::wire {

/// A client, as its connection knows it. Requests share it.
struct Client {
  std::string remote{};  ///< its address and port
  std::string agent{};   ///< its driver; empty: it does not say
  Caller caller{};
  std::shared_ptr<tenancy::World> world{};  ///< that it sees; null: its caller decides
  std::string world_name{};                 ///< of that world
  std::string keyspace{};                   ///< that it uses, or empty
};

/// A request that is being answered. Stays where it was made, because the request consists of views of the
/// frame.
struct Call {
  using Steady = std::chrono::steady_clock;

  Call(Frame its_frame, std::shared_ptr<const Client> its_client)
      : frame(std::move(its_frame)), client(std::move(its_client)) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Steady::time_point start = Steady::now();
  const Frame frame;
  const std::shared_ptr<const Client> client;  ///< as it was when the request arrived
  frames::Request request{frames::Options()};
  std::optional<Operation> operation{};
  std::string id{};
  bool listed = true;       ///< it is among the recent requests, and in the report
  bool keeps_rows = false;  ///< rows go to `rows`, and not into the body of the answer

  std::shared_ptr<tenancy::World> world{};  ///< in which it was answered; null if it needs none
  std::string name_space{};
  std::optional<observe::RequestDetails> details{};  ///< if it is to be recorded or logged
  Answer<Reply> answer = Reply();
  std::optional<statements::RowSet> rows{};
  std::optional<tenancy::FaultHit> fault{};              ///< the rule that hit it
  bool faults_asked = false;                             ///< rules see a request once
  bool delay_over = false;                               ///< of the fault
  base::PendingWork pending{};                           ///< what its last run has begun, and those before
  base::TimePoint next_upkeep = base::TimePoint::max();  ///< when what it wrote must be looked at
};

}  // namespace dinette::cql::wire
