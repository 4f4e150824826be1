#include "admin/clock.h"

#include <chrono>
#include <cmath>

#include "dinette/base/iso_time.h"
#include "dinette/base/time_text.h"

namespace dinette::admin {
namespace {

using std::chrono::microseconds;

/// Clocks that run faster reach the year 9999 within days.
constexpr double most_rate = 1e6;

base::Failure<Error> impossible_time() {
  return bad_request("The time must be within the years 1970 to 9999.");
}

Json describe(const NamedWorld& chosen) {
  const tenancy::ClockState clock = chosen.world->clock_state();
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(clock.now).time_since_epoch();
  Json described = {{"world", chosen.name},
                    {"now", base::format_time(clock.now)},
                    {"epochMilliseconds", milliseconds.count()},
                    {"frozen", clock.frozen},
                    {"rate", clock.rate}};
  if (clock.moving_to) described["movingTo"] = base::format_time(*clock.moving_to);
  return described;
}

Result<std::optional<base::TimePoint>> read_now(const Body& body) {
  const Json& now = body.any("now");
  if (now.is_null()) return std::optional<base::TimePoint>();
  std::optional<base::TimePoint> moment;
  if (now.is_number()) {
    const auto since_epoch = base::duration_of(now.get<double>());
    if (!since_epoch) return impossible_time();
    moment = base::TimePoint(*since_epoch);
  }
  if (now.is_string()) moment = base::parse_time(now.get_ref<const std::string&>());
  if (moment) return moment;
  return bad_request(
      "The member 'now' must be a time such as \"2026-01-31T08:15:00Z\", within the years 1970 to 9999, or "
      "seconds since 1970.");
}

Result<std::optional<microseconds>> read_advance(const Body& body) {
  const Json& advance = body.any("advance");
  if (advance.is_null()) return std::optional<microseconds>();
  std::optional<microseconds> step;
  if (advance.is_number()) step = base::duration_of(advance.get<double>());
  if (advance.is_string()) step = base::parse_duration(advance.get_ref<const std::string&>());
  if (step) return step;
  return bad_request(
      "The member 'advance' must be a number of seconds, or a duration such as \"PT25H\" or \"P1DT30M\", of "
      "at most 10,000 years.");
}

Result<std::optional<double>> read_rate(const Body& body) {
  DINETTE_TRY(const auto rate, body.number("rate"));
  if (rate && !(*rate > 0 && *rate <= most_rate))
    return bad_request("The member 'rate' must be greater than 0, and at most 1000000.");
  return rate;
}

Result<tenancy::ClockChange> read_change(const Body& body) {
  tenancy::ClockChange change;
  DINETTE_TRY(change.now, read_now(body));
  DINETTE_TRY(change.advance, read_advance(body));
  DINETTE_TRY(change.frozen, body.flag("frozen"));
  DINETTE_TRY(change.rate, read_rate(body));
  if (change.now && change.advance) return bad_request("Give either 'now' or 'advance', not both.");
  if (!change.now && !change.advance && !change.frozen && !change.rate)
    return bad_request("Give at least one of 'now', 'advance', 'frozen' and 'rate'.");
  return change;
}

}  // namespace

Answer get_clock(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  return Reply{describe(chosen)};
}

Answer put_clock(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world", "now", "advance", "frozen", "rate"}));
  DINETTE_TRY(const tenancy::ClockChange change, read_change(call.body));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_ADMIN_STORED(const tenancy::ClockOutcome outcome, chosen.world->change_clock(change));
  switch (outcome) {
    case tenancy::ClockOutcome::changed:
      return Reply{describe(chosen)};
    case tenancy::ClockOutcome::out_of_range:
      return impossible_time();
    case tenancy::ClockOutcome::busy:
      return conflict("Another request is changing the clock of this world; try again when it has ended.");
    case tenancy::ClockOutcome::stopped:
      break;
  }
  return base::Failure{Error{503, "Stopping", "The server is stopping."}};
}

}  // namespace dinette::admin
