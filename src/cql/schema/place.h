#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/cql/row_size.h"
#include "dinette/observe/request_details.h"
#include "dinette/observe/table_counters.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

namespace dinette::cql {

namespace statements {
class Throttle;
}

/// First byte of all keys of Amazon Keyspaces in the store; never changes.
inline constexpr std::uint8_t face_id = 5;

/// How much is accepted (docs/service-keyspaces/README.md, two modes of the front end).
enum class Mode : std::uint8_t {
  strict,   ///< what the service accepts
  lenient,  ///< what Cassandra 3.11 accepts as well
};

/// What a statement works with, in addition to itself. Lives as long as the request.
struct Place {
  tenancy::World& world;
  store::Store& store;  ///< of the caller's account and region, in this world
  base::TimePoint now;  ///< by the world's clock, for the whole request
  Mode mode = Mode::lenient;
  std::string_view account = "000000000000";
  std::string_view region = "us-east-1";
  std::string_view address{"\x7f\0\0\1", 4};   ///< that the client has reached, 4 or 16 bytes
  std::chrono::milliseconds state_delay{0};    ///< how long tables stay CREATING and so on
  SizeFormula sizes = SizeFormula::earlier;    ///< how rows are measured
  observe::RequestDetails* details = nullptr;  ///< to be filled; null: not recorded

  observe::TableCounters* capacity = nullptr;  ///< counts what tables consume; null: nothing does
  statements::Throttle* throttle = nullptr;    ///< limits it; null: nothing does
  /// Lowered to when what was written must be looked at; null: the caller does not want to know.
  base::TimePoint* next_upkeep = nullptr;

  bool strict() const { return mode == Mode::strict; }
  void note_upkeep(base::TimePoint due) const {
    if (next_upkeep != nullptr) *next_upkeep = std::min(*next_upkeep, due);
  }
};

}  // namespace dinette::cql
