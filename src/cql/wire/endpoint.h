#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/cql/service.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/table_counters.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/worlds.h"

#include "cql/wire/call.h"
#include "cql/wire/call_log.h"
#include "cql/wire/world_state.h"

namespace dinette::cql::wire {

/// What all connections of a service share. Thread-safe.
class Endpoint {
 public:
  /// The references must outlive it.
  Endpoint(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);

  const ServiceOptions& options() const { return options_; }
  LogIn begin_log_in() const { return LogIn(options_, clock_); }

  /// Prepares a call for answer().
  void begin(Call& call);
  /// How a run of a request has ended.
  enum class Run : std::uint8_t {
    answered,   ///< Call::answer is filled
    must_wait,  ///< it must run again where it may wait
    delayed,    ///< it must run again after the delay of Call::fault
  };
  /// Answers a request that needs data.
  Run answer(Call& call, bool may_wait);
  /// Counts, logs and records a call that was answered, and tells those who have subscribed what it has
  /// changed.
  void finish(const Call& call);

  /// Where a client's events come from.
  struct Source {
    std::shared_ptr<tenancy::World> world;
    std::string name_space;
  };
  /// Returns what a client sees now.
  Answer<Source> source_of(const Client& client, std::string* world_name = nullptr) const;

  /// Returns the name space of all clients: requests name no region.
  std::string_view name_space() const;

  const observe::RequestCounters& requests() const { return log_.counters(); }
  /// Writes what tables have consumed, and what was removed of them.
  void write_figures(observe::MetricsWriter& text) const;

 private:
  Answer<Reply> run(Call& call);
  Answer<Reply> run_with_faults(Call& call, const Place& place, Runner& runner);

  const ServiceOptions options_;
  tenancy::Worlds& worlds_;
  const tenancy::Tenants tenants_;
  const base::Clock& clock_;
  base::Ids& ids_;
  CallLog log_;
  observe::TableCounters capacity_;
};

}  // namespace dinette::cql::wire
