#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/world.h"

namespace dinette::store {

struct WorldsOptions {
  /// Returns an empty engine, in constant time.
  std::function<std::shared_ptr<kv::Engine>()> make_engine;
  std::vector<WorldFace> faces;
  StoreOptions store;
  /// If false, jobs run only when a test asks World::jobs() to run them.
  bool run_jobs = true;
  /// When this many worlds exist and another one is requested, those that never had a table are dropped: any
  /// client that may name a world can create one.
  std::size_t many_worlds = 1000;
};

/// The worlds of a server, by name. The one called "" is the default and always exists. Every member may be
/// called from several threads at once. Forking, resetting and dropping take constant time if the engine
/// forks in constant time. A request that has picked a world stays in it; the data of that world is freed
/// after its last request.
class Worlds {
 public:
  /// `clock` and `ids` must outlive it.
  Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids);
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  /// Returns the world of that name. Creates it if it does not exist.
  std::shared_ptr<World> pick(std::string_view name);

  /// Replaces the world `to` by a copy of `from`, independent of it from then on. Fails with
  /// ErrorKind::unsupported if the engine cannot fork.
  kv::Result<void> fork(std::string_view from, std::string_view to);

  /// Replaces the world by an empty one.
  void reset(std::string_view name);

  /// Drops the world; the default one is reset. Returns false if there is no such world.
  bool drop(std::string_view name);

  /// Returns the names of all worlds except the default one, ascending.
  std::vector<std::string> names() const;

 private:
  using Named = std::map<std::string, std::shared_ptr<World>, std::less<>>;

  std::shared_ptr<World> make(std::shared_ptr<kv::Engine> engine);
  std::shared_ptr<World> find(std::string_view name) const;
  void put(std::string_view name, std::shared_ptr<World> world);
  std::shared_ptr<World> add_named(std::string_view name);
  /// Removes those that never had a table from `named_`.
  std::vector<std::shared_ptr<World>> take_untouched();

  const WorldsOptions options_;
  const base::Clock& clock_;
  base::Ids& ids_;
  base::JobRunner runner_;
  std::atomic<std::shared_ptr<World>> default_;
  mutable std::shared_mutex mutex_;
  Named named_;  ///< guarded by mutex_
};

}  // namespace dinette::store
