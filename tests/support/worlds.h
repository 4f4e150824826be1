#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"
#include "dinette/store/worlds.h"

namespace test {

/// Worlds in memory, but for the default one if there is an `engine` for it. Jobs run when the test says so.
inline dinette::store::WorldsOptions test_worlds(std::shared_ptr<dinette::kv::Engine> engine = nullptr,
                                                 dinette::store::Face face = dinette::dynamodb::face(),
                                                 std::chrono::milliseconds history = {}) {
  namespace kv = dinette::kv;
  dinette::store::WorldsOptions options;
  options.make_engine = [first = std::move(engine)]() mutable {
    return first ? std::exchange(first, nullptr) : std::shared_ptr<kv::Engine>(kv::make_memory_engine());
  };
  options.faces = {{face, dinette::dynamodb::world_face().resume}};
  options.store.history = history;
  options.run_jobs = false;
  return options;
}

}  // namespace test
