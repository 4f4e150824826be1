#pragma once

#include <cstdint>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/observe/request_details.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "tablestore/request/api_error.h"

namespace dinette::tablestore {

/// First byte of all keys of Tablestore in the store; never changes.
inline constexpr std::uint8_t face_id = 4;

/// Where clients that official suites use need another behaviour (tablestore/tests.md section 2).
struct Switches {
  bool loose_names = false;  ///< attribute columns may have all names that the service accepts
};

/// What an operation works with, in addition to its request. Lives as long as the request.
struct Context {
  tenancy::World& world;
  store::Store& store;  ///< of the caller's instance, in this world
  base::TimePoint now;  ///< by the world's clock, for the whole request
  const Switches& switches;
  observe::RequestDetails* details = nullptr;  ///< to be filled; null: not recorded

  std::string_view instance() const { return store.name_space(); }
};

}  // namespace dinette::tablestore
