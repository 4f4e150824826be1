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
  /// An engine with nothing in it, in constant time.
  std::function<std::shared_ptr<kv::Engine>()> make_engine;
  std::vector<WorldFace> faces;
  StoreOptions store;
  /// Otherwise jobs are run by whoever asks World::jobs() to: for tests.
  bool run_jobs = true;
  /// When there are so many worlds and one more is wanted, those that never had a table are dropped: anybody
  /// who may name a world can make one.
  std::size_t many_worlds = 1000;
};

/// The worlds of a server, by name; the one called "" is the default, and always there. Every member may be
/// called from several threads at once. Forking, resetting and dropping take constant time on an engine that
/// forks in constant time. A request that has picked a world goes on in it, and what it had is freed after
/// the last such request.
class Worlds {
 public:
  /// `clock` and `ids` must outlive it.
  Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids);
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  /// The world of that name, which is made if it is not there.
  std::shared_ptr<World> pick(std::string_view name);

  /// Makes the world `to` what `from` is now, and independent of it from then on. What `to` was is gone.
  /// ErrorKind::unsupported if the engine cannot do it.
  kv::Result<void> fork(std::string_view from, std::string_view to);

  /// Makes it a world with nothing in it.
  void reset(std::string_view name);

  /// Drops the world; the default one is reset. Returns false if there is none.
  bool drop(std::string_view name);

  /// All but the default one, ascending.
  std::vector<std::string> names() const;

 private:
  using Named = std::map<std::string, std::shared_ptr<World>, std::less<>>;

  std::shared_ptr<World> make(std::shared_ptr<kv::Engine> engine);
  std::shared_ptr<World> find(std::string_view name) const;
  void put(std::string_view name, std::shared_ptr<World> world);
  std::shared_ptr<World> add_named(std::string_view name);
  /// Takes those that never had a table out of `named_`.
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
