#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/jobs.h"
#include "dinette/deliveries/lanes.h"
#include "dinette/kv/engine.h"
#include "dinette/store/size.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/faults.h"
#include "dinette/tenancy/region_links.h"

namespace dinette::tenancy {

class World;

/// A front end, and how it resumes unfinished work in a world. The jobs of an engine that was forked, or
/// opened again, are gone, but the data that they worked on record that the work is unfinished.
struct WorldFace {
  store::Face face;
  std::function<void(World&)> resume = [](World&) {};
};

/// State of a front end for a world, in memory only. It is destroyed with the world: forks, resets and
/// restarts begin without it.
class FaceState {
 public:
  FaceState() = default;
  FaceState(const FaceState&) = delete;
  FaceState& operator=(const FaceState&) = delete;
  virtual ~FaceState() = default;
};

/// A change of a world's clock; members that are not set do not change.
struct ClockChange {
  std::optional<base::TimePoint> now = {};  ///< the new time; not together with `advance`
  std::optional<std::chrono::microseconds> advance =
      {};  ///< from the time that the clock shows; may be negative
  std::optional<bool> frozen = {};
  std::optional<double> rate = {};  ///< greater than zero
};

enum class ClockOutcome {
  changed,
  out_of_range,  ///< the new time is not within base::earliest_time and base::latest_time
  busy,          ///< another call is changing this clock
  stopped,       ///< the process is ending; the clock shows a time on the way
};

/// A world's clock as its users see it, also while it is being moved.
struct ClockState {
  base::TimePoint now;
  double rate = 1;
  bool frozen = false;  ///< not because it is being moved
  std::optional<base::TimePoint> moving_to = {};
};

/// A name space with tables.
struct NameSpaceTables {
  std::string name;
  std::uint64_t tables = 0;
};

/// The data of a world and the setting of its clock, as they were at one moment.
struct WorldImage {
  std::shared_ptr<const kv::Engine> data;  ///< never written to
  base::ClockSetting clock;
};

/// How a world agrees with the same world of other servers, which share its engine. None of the functions is
/// called if no other server uses it.
struct WorldPeers {
  bool work_is_here = true;  ///< the background work; else another server does it
  /// Says that there is work while it is done elsewhere. Must be brief.
  std::function<void()> leave_work = {};
  /// Returns when the work is done here.
  std::function<kv::Result<void>()> take_work = [] { return kv::Result<void>(); };
  /// Returns when the other servers have seen what has changed.
  std::function<kv::Result<void>()> announce = [] { return kv::Result<void>(); };
  /// Returns how many servers there are.
  std::function<std::size_t()> servers = [] { return std::size_t{1}; };
};

/// Everything that one tenant sees: the data, one store per front end, the clock, background work, faults.
/// Worlds share nothing. Thread-safe.
class World {
 public:
  /// `ids`, `real_clock` and `runner` must outlive it. The world's clock follows `real_clock`.
  World(std::shared_ptr<kv::Engine> engine, const base::Clock& real_clock, base::Ids& ids,
        std::span<const WorldFace> faces, store::StoreOptions options, base::JobRunner* runner,
        const base::ClockSetting& clock = {}, WorldPeers peers = {}, RegionSetting regions = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  kv::Engine& engine() { return *engine_; }
  /// Returns the store of a front end of this world, in the name space "".
  store::Store& store(std::uint8_t face_id);
  /// Returns the one in a name space. It may be dropped after a while if nothing is written to it, except for
  /// that of "", which is not owned by the pointer.
  std::shared_ptr<store::Store> store(std::uint8_t face_id, std::string_view name_space);
  /// Returns those of all name spaces in which there may be something, the one of "" first. These live as
  /// long as the world.
  std::vector<store::Store*> stores(std::uint8_t face_id);
  /// Returns the state of a front end of this world, which the first call creates.
  FaceState& state(std::uint8_t face_id, std::unique_ptr<FaceState> (*make)());
  const base::AdjustableClock& clock() const { return clock_; }
  base::Jobs& jobs() { return jobs_; }
  /// Returns what delivers the records of this world's streams.
  deliveries::Lanes& lanes() { return lanes_; }
  /// Returns the fault rules of this world: a fork begins without any, and a snapshot has none.
  Faults& faults() { return faults_; }
  /// Replaces them, for all servers that share the engine.
  kv::Result<void> replace_faults(std::vector<FaultRule> rules);
  /// Returns how the regions of this world reach each other. Who replaces the setting in it, and not by
  /// replace_regions(), changes what this process knows, and calls appended() of the lanes afterwards.
  RegionLinks& links() { return links_; }
  /// Replaces the setting, for all servers that share the engine, in which it is kept.
  kv::Result<void> replace_regions(RegionSetting setting);

  /// Changes the clock. Before it returns, it runs all jobs that are due by the new time, in the order of
  /// their due times, each while the clock reads its due time; meanwhile the clock is stopped. If the time is
  /// set back, jobs that have run are not undone, and the others wait until the clock reads their due time
  /// again. Fails if the new setting cannot be stored. Takes as long as the jobs do; must not be called on
  /// event loops. Does not wait for another call of it.
  kv::Result<ClockOutcome> change_clock(const ClockChange& change);

  ClockState clock_state() const;

  /// Reads again what another server that shares the engine may have changed: the clock, fault rules, the
  /// setting of regions, and which name spaces there are.
  kv::Result<void> follow();
  /// Looks which name spaces other servers that share the engine have made, if there are any.
  void find_name_spaces();

  /// Returns how many servers have this world, as of a moment ago.
  std::size_t servers() const { return peers_.servers(); }

  /// Does the background work here from now on: looks for what is unfinished.
  void begin_work();
  /// Looks for unfinished work, while it is done here.
  void find_work();
  /// Leaves it to another server. Returns when no step of it runs.
  void end_work();

  /// Counts tables and their rows, of all front ends. The cost is proportional to the number of tables.
  kv::Result<store::Size> size() const;

  /// Returns the name spaces other than "" in which there are tables, ascending for each front end. The cost
  /// is proportional to the number of tables.
  kv::Result<std::vector<NameSpaceTables>> name_spaces();

  /// Counts what all front ends keep for some time. The cost is proportional to the number of streams, and of
  /// tables whose former values are kept.
  kv::Result<store::KeptHistory> kept_history() const;

  /// Returns a copy, in constant time if the engine forks in constant time. Fails with
  /// ErrorKind::unsupported if the engine cannot fork.
  kv::Result<WorldImage> image() const;

  /// Returns true if no front end ever had a table here.
  kv::Result<bool> untouched() const;

 private:
  struct NameSpace {
    std::shared_ptr<store::Store> store;
    bool kept = false;  ///< something of it was in the engine
  };
  using NameSpaces = std::map<std::string, NameSpace, std::less<>>;
  struct FaceStore {
    store::Face face;
    std::unique_ptr<store::Store> store;         ///< of the name space ""
    NameSpaces name_spaces = {};                 ///< the others; guarded by name_spaces_
    std::unique_ptr<FaceState> state = nullptr;  ///< guarded by states_
  };
  /// A change of the clock that is running.
  struct ClockMove {
    base::TimePoint from;
    base::TimePoint to;
    base::ClockSetting before;
  };
  FaceStore& face(std::uint8_t face_id);
  std::shared_ptr<store::Store> make_store(const store::Face& face, std::string name_space);
  void open_name_spaces(FaceStore& face);
  static void drop_unwritten(NameSpaces& name_spaces);
  base::ClockSetting clock_setting() const;
  bool move_clock(const ClockMove& move);
  void end_move();
  kv::Result<void> follow_clock();
  kv::Result<void> follow_faults();
  kv::Result<void> follow_regions();

  std::shared_ptr<kv::Engine> engine_;
  base::AdjustableClock clock_;
  base::Ids& ids_;
  store::StoreOptions options_;
  mutable std::mutex clock_mutex_;       ///< held briefly
  std::optional<ClockMove> clock_move_;  ///< guarded by clock_mutex_
  std::mutex states_;                    ///< held briefly
  std::shared_mutex name_spaces_;        ///< held briefly
  std::vector<FaceStore> stores_;
  const std::vector<WorldFace> faces_;
  const WorldPeers peers_;
  Faults faults_;
  std::mutex regions_mutex_;  ///< held while the setting of links_ is kept or read again
  RegionLinks links_;
  base::Jobs jobs_;          ///< destroyed early, because steps refer to the rest
  deliveries::Lanes lanes_;  ///< likewise; and these add jobs
};

}  // namespace dinette::tenancy
