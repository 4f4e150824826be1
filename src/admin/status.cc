#include "admin/status.h"

#include <cstddef>
#include <cstdint>

#include "dinette/base/time_text.h"
#include "dinette/observe/report.h"

namespace dinette::admin {
namespace {

Json describe_clock(const tenancy::ClockState& clock) {
  return {{"now", base::format_time(clock.now)}, {"frozen", clock.frozen}, {"rate", clock.rate}};
}

Json describe_faults(tenancy::World& world) {
  std::size_t rules = 0;
  std::uint64_t fired = 0;
  for (const tenancy::FaultRecord& one : world.faults().list()) {
    ++rules;
    fired += one.fired;
  }
  return {{"rules", rules}, {"fired", fired}};
}

}  // namespace

Answer get_status(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  const observe::Reports* const reports = state.options.reports;
  return Reply{{{"world", chosen.name},
                {"clock", describe_clock(chosen.world->clock_state())},
                {"faults", describe_faults(*chosen.world)},
                {"recordingReport", reports != nullptr && reports->recording()}}};
}

}  // namespace dinette::admin
