#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/worlds.h"

#include "support/engines.h"

namespace test {

/// Worlds of test engines (support/engines.h), but for the default one if there is an `engine` for it. Jobs
/// run when the test says so.
inline dinette::tenancy::WorldsOptions test_worlds(std::shared_ptr<dinette::kv::Engine> engine = nullptr,
                                                   dinette::store::Face face = dinette::dynamodb::face(),
                                                   std::chrono::milliseconds history = {},
                                                   const dinette::dynamodb::Upkeep& upkeep = {}) {
  dinette::tenancy::WorldsOptions options;
  options.engines = make_test_engines();
  options.default_engine = std::move(engine);
  options.faces = {{face, dinette::dynamodb::world_face(upkeep).resume}};
  options.store.history = history;
  options.run_jobs = false;
  return options;
}

}  // namespace test
