#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/atomic_pointer.h"
#include "dinette/kv/engines.h"
#include "dinette/tenancy/world.h"

namespace dinette::tenancy {

class DroppedNames;

struct WorldsOptions {
  std::shared_ptr<kv::Engines> engines = kv::make_memory_engines();
  /// The engine of the default world, instead of one of `engines`.
  std::shared_ptr<kv::Engine> default_engine = nullptr;
  std::vector<WorldFace> faces;
  store::StoreOptions store;
  /// If false, jobs run only when a test runs those of World::jobs() or Worlds::jobs(), and this is none of
  /// the servers that share the engines.
  bool run_jobs = true;
  /// When this many worlds exist and another one is requested, some that never had a table are dropped: any
  /// client that can name a world can create one. Forks are not dropped.
  std::size_t many_worlds = 1000;
  /// The number of forks that are remembered when they are dropped.
  std::size_t remembered_forks = 10'000;
};

/// A world as Worlds::list() reports it.
struct ListedWorld {
  std::string name;
  std::shared_ptr<World> world;
  bool fork = false;
  std::optional<std::chrono::seconds> ttl = {};  ///< see Worlds::add_fork()
};

/// An image that is kept with the engines.
struct KeptImage {
  std::uint64_t number = 0;  ///< never used twice; later ones have greater numbers
  std::string note;          ///< the argument of Worlds::keep_image()
};

/// The worlds of a server, by name. The one called "" is the default and always exists. Every member may be
/// called from several threads at once. Forking, resetting and dropping take constant time in memory; with
/// durable engines they take a few accesses to the disk, and the worlds are found again at the next start. A
/// request that has picked a world stays in it; after its last request a job frees that world, so that no
/// request waits for a step of the world's own jobs.
///
/// Worlds are created in two ways. Those of tenants are created by the first request (pick). Forks are
/// created by add_fork(), and requests choose them by name (find_fork).
///
/// Where several servers share the engines (kv::Engines::coordinator), each has all worlds, and each world is
/// the same on all of them: what one has changed here, or in a clock, the others know when the call returns.
/// One of them does the background work of all worlds.
class Worlds {
 public:
  /// Worlds whose engines cannot fail, such as those in memory. `clock`, the real one, and `ids` must outlive
  /// them.
  Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids);
  /// Returns the worlds that the engines kept, and a default one.
  static kv::Result<std::unique_ptr<Worlds>> open(WorldsOptions options, const base::Clock& clock,
                                                  base::Ids& ids);
  /// Asks the steps of jobs that are under way to end, and waits for them.
  ~Worlds();
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  /// Returns the world of that name. Creates it if it does not exist.
  kv::Result<std::shared_ptr<World>> pick(std::string_view name);

  /// Returns the world of that name, or null if there is none.
  std::shared_ptr<World> find(std::string_view name);

  /// Returns the fork of that name, or null if there is none. A comparison while there are no forks at all.
  std::shared_ptr<World> find_fork(std::string_view name) {
    return forks_.load(std::memory_order_relaxed) == 0 ? nullptr : find_named(name, true);
  }

  /// Returns when the fork of that name was dropped; nothing if there is one, or has been none, or if it was
  /// dropped before many others, a reset of all or the start of the program. For the programs that still use
  /// its name, which must not find another world by it. A comparison while no fork has been dropped.
  std::optional<base::TimePoint> dropped_at(std::string_view name) const;

  /// Adds a world with the data and the clock of `image`, independent of it from then on. If `ttl` is given,
  /// the world is dropped once no call has found it for so long in real time. Returns null if the name is
  /// taken. Fails with ErrorKind::unsupported if the engine cannot fork.
  kv::Result<std::shared_ptr<World>> add_fork(std::string_view name, const WorldImage& image,
                                              std::optional<std::chrono::seconds> ttl = std::nullopt);

  /// Replaces the world by one with the data and the clock of `image`; creates it if it does not exist. Fails
  /// with ErrorKind::unsupported if the engine cannot fork.
  kv::Result<void> restore(std::string_view name, const WorldImage& image);

  /// Replaces the world `to` by a copy of `from`.
  kv::Result<void> fork(std::string_view from, std::string_view to);

  /// Replaces the world by an empty one, whose clock shows real time. Creates it if it does not exist.
  kv::Result<void> reset(std::string_view name);

  /// Resets the default world and drops all others. Remembers no forks that were dropped earlier.
  kv::Result<void> reset_all();

  /// Drops the world; the default one is reset. Returns false if there is no such world.
  kv::Result<bool> drop(std::string_view name);

  /// Returns true if images can be kept with the engines: where several servers share these, so that each of
  /// them has the images, also after a restart. Worlds do not affect them.
  bool keeps_images() const { return options_.engines->capabilities().shared; }
  /// Keeps an image. Returns its number.
  kv::Result<std::uint64_t> keep_image(std::string_view note, const WorldImage& image);
  /// Returns what is kept, in ascending order of the numbers.
  kv::Result<std::vector<KeptImage>> kept_images() const;
  /// Returns the image of that number, or nothing if none is kept.
  kv::Result<std::optional<WorldImage>> kept_image(std::uint64_t number) const;
  /// Stops keeping it. Returns false if there is none.
  kv::Result<bool> forget_image(std::uint64_t number);

  /// Returns why the data may not be kept although they should be; nothing if all is well. A job looks every
  /// few seconds where they are kept; a write that fails is known at once.
  std::optional<std::string> trouble() const { return options_.engines->trouble(); }

  /// Returns the number of forks.
  std::size_t forks() const { return forks_.load(std::memory_order_relaxed); }

  /// Returns the names of all worlds except the default one, ascending.
  std::vector<std::string> names() const;

  /// Returns all worlds, the default one first, then ascending by name.
  std::vector<ListedWorld> list() const;

  /// Asks the jobs and deliveries of all worlds, and moves of their clocks, to end: none runs afterwards.
  void request_stop();

  /// The work that belongs to no world: dropping forks that are not used, looking after the engines. By real
  /// time.
  base::Jobs& jobs() { return jobs_; }

 private:
  class Member;
  friend class Member;

  struct Named {
    Named() = default;
    /// Creates a tenant's world.
    explicit Named(std::shared_ptr<World> its_world) : world(std::move(its_world)) {}
    /// Creates a fork.
    Named(std::shared_ptr<World> its_world, std::optional<std::chrono::seconds> its_ttl, base::TimePoint now)
        : world(std::move(its_world)), fork(true), ttl(its_ttl), last_used(now) {}

    std::shared_ptr<World> world;
    const bool fork = false;
    const std::optional<std::chrono::seconds> ttl;
    /// Kept only if there is a ttl; changes while mutex_ is held shared.
    std::atomic<base::TimePoint> last_used = base::TimePoint();
    base::TimePoint kept_use = {};  ///< what other servers know of it; changes_ is held
  };
  using NamedWorlds = std::map<std::string, Named, std::less<>>;
  using Taken = std::map<std::string, std::shared_ptr<World>>;

  std::shared_ptr<World> make(std::shared_ptr<kv::Engine> engine, const base::ClockSetting& clock = {},
                              RegionSetting regions = {});
  kv::Result<std::shared_ptr<World>> make_empty();
  kv::Result<std::shared_ptr<World>> make_from(const WorldImage& image);
  std::shared_ptr<World> find_named(std::string_view name, bool only_forks);
  kv::Result<void> put(std::string_view name, std::shared_ptr<World> world);
  kv::Result<void> put_here(std::string_view name, std::shared_ptr<World> world);
  kv::Result<std::shared_ptr<World>> add_named(std::string_view name);
  kv::Result<std::shared_ptr<World>> make_named(std::string_view name);
  kv::Result<std::shared_ptr<World>> make_fork(std::string_view name, const WorldImage& image,
                                               std::optional<std::chrono::seconds> ttl);
  std::string note_of(std::string_view name) const;
  bool shares_engines() const { return options_.run_jobs && options_.engines->coordinator() != nullptr; }
  WorldPeers peers_of(const kv::Engine& engine);
  kv::Result<void> announce();
  kv::Result<void> join();
  kv::Result<void> follow(const std::optional<std::set<std::uint64_t>>& engines);
  kv::Result<void> follow(const kv::Engines::Kept& kept, bool has_changed);
  void take_forgotten(const std::vector<kv::Engines::Kept>& kept, Taken& taken);
  std::vector<std::shared_ptr<World>> all_worlds() const;
  kv::Result<void> open_kept(const kv::Engines::Kept& kept);
  void drop_when_unused(base::TimePoint moment);
  // These move worlds from `named_` to the end of `taken`.
  void take(NamedWorlds::iterator one, Taken& taken);
  void update_has_dropped();
  void take_untouched(Taken& taken);
  /// Stops keeping worlds, and retires them.
  kv::Result<void> forget(Taken taken);
  base::Jobs::Next drop_unused();
  base::Jobs::Next take_unused(Taken& dropped);
  std::chrono::microseconds time_to_hear_of_uses() const;
  void keep_uses();
  void read_uses();
  /// Frees worlds that can no longer be found, now or after their last request.
  void retire(std::vector<std::shared_ptr<World>> worlds);
  base::Jobs::Next free_retired();
  base::Jobs::Next look_after_engines();

  const WorldsOptions options_;
  const base::Clock& clock_;
  base::Ids& ids_;
  base::JobRunner runner_;
  std::atomic<bool> works_here_;  ///< the background work; else another server does it
  base::AtomicPointer<World> default_;
  std::mutex changes_;  ///< held while worlds are added, replaced or dropped, which may access the disk
  mutable std::shared_mutex mutex_;  ///< held briefly, also by changes
  NamedWorlds named_;                ///< guarded by mutex_; changes with changes_ held, too
  /// The worlds of tenants that may never have had a table, and the last that was looked at. Guarded by
  /// changes_.
  std::set<std::string, std::less<>> fresh_;
  std::string looked_at_;
  std::atomic<std::size_t> forks_{0};            ///< in named_; changes under mutex_
  const std::unique_ptr<DroppedNames> dropped_;  ///< forks; guarded by mutex_
  std::atomic<bool> has_dropped_{false};         ///< changes under mutex_
  std::mutex retired_mutex_;
  std::vector<std::shared_ptr<World>> retired_;  ///< guarded by retired_mutex_
  base::Jobs jobs_;                              ///< destroyed first, because its steps refer to the rest
  std::unique_ptr<Member> member_;  ///< of the servers that share the engines; null if there are none
};

}  // namespace dinette::tenancy
