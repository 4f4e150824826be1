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

/// A front end, and how it resumes work that it finds unfinished in a world. The jobs of an engine that was
/// forked, or opened again, are gone, but what they worked on records that it is unfinished.
struct WorldFace {
  Face face;
  std::function<void(World&)> resume = [](World&) {};
};

/// Everything that one tenant sees: the data, a store of it per front end, the time, and background work. Two
/// worlds share nothing. Every member may be called from several threads at once.
class World {
 public:
  /// `ids`, `clock` and `runner` must outlive it.
  World(std::shared_ptr<kv::Engine> engine, const base::Clock& clock, base::Ids& ids,
        std::span<const WorldFace> faces, StoreOptions options, base::JobRunner* runner);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  kv::Engine& engine() { return *engine_; }
  /// Returns the store of a front end that the world was made with.
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
  base::Jobs jobs_;  ///< destroyed first, because steps refer to the rest
};

}  // namespace dinette::store
