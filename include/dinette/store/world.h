#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/jobs.h"
#include "dinette/kv/engine.h"
#include "dinette/store/store.h"

namespace dinette::store {

class World;

/// A front end, and how it goes on with work that it finds open in a world: the jobs of an engine that was
/// forked, or opened again, are gone, but what they worked on says so itself.
struct WorldFace {
  Face face;
  std::function<void(World&)> resume = [](World&) {};
};

/// Everything that one tenant sees: the data, a store of it for each front end, the time, and the work that
/// goes on behind the answers. Two worlds have nothing in common. Every member may be called from several
/// threads at once.
class World {
 public:
  /// `ids`, `clock` and `runner` must outlive it.
  World(std::shared_ptr<kv::Engine> engine, const base::Clock& clock, base::Ids& ids,
        std::span<const WorldFace> faces, StoreOptions options, base::JobRunner* runner);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  kv::Engine& engine() { return *engine_; }
  /// The store of a front end that the world was made with.
  Store& store(std::uint8_t face_id);
  const base::Clock& clock() const { return clock_; }
  base::Jobs& jobs() { return jobs_; }

  /// Returns true if no front end ever had a table here.
  kv::Result<bool> untouched() const;

 private:
  struct FaceStore {
    std::uint8_t face_id;
    std::unique_ptr<Store> store;
  };

  std::shared_ptr<kv::Engine> engine_;
  const base::Clock& clock_;
  std::vector<FaceStore> stores_;
  base::Jobs jobs_;  ///< the first to go: steps refer to the rest
};

}  // namespace dinette::store
