#pragma once

#include <chrono>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "kinesis/request/api_error.h"

namespace dinette::kinesis {

/// First byte of all keys of streams in the store; never changes.
inline constexpr std::uint8_t face_id = 2;

/// What an operation works with, in addition to its input. Lives as long as the request.
struct Context {
  store::Store& store;                    ///< of the caller's world
  base::Jobs& jobs;                       ///< of the same
  base::TimePoint now;                    ///< by the world's clock, for the whole request
  std::chrono::milliseconds state_delay;  ///< how long streams stay CREATING, UPDATING and DELETING
  std::string_view account;               ///< of the caller
  std::string_view region;                ///< of the caller
};

}  // namespace dinette::kinesis
