#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/lambda/service.h"
#include "dinette/lambda/stream_sources.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "lambda/request/api_error.h"

namespace dinette::lambda {

/// First byte of all keys of mappings in the store; never changes.
inline constexpr std::uint8_t face_id = 3;

/// What an operation works with, in addition to its input. Lives as long as the request.
struct Context {
  tenancy::World& world;                  ///< of the caller
  std::string_view name_space;            ///< of the caller's mappings in it
  store::Store& store;                    ///< of that name space
  base::TimePoint now;                    ///< by the world's clock, for the whole request
  std::chrono::milliseconds state_delay;  ///< how long mappings stay Creating, Updating and so on
  std::string_view account;               ///< of the caller
  std::string_view region;                ///< of the caller
  StreamSources* sources;                 ///< null: any stream exists
  const MappingsChanged& mappings_changed;

  /// Returns true if mappings are polled: then what polls them erases those that are deleted.
  bool has_pollers() const { return mappings_changed != nullptr; }
};

}  // namespace dinette::lambda
