#include "dinette/tenancy/world.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "dinette/store/format.h"
#include "dinette/store/kept_clock.h"
#include "dinette/store/name_spaces.h"

#include "tenancy/kept_regions.h"
#include "tenancy/shared_faults.h"

namespace dinette::tenancy {
namespace {

/// When there are so many name spaces of a face, those without data are dropped: any client that can name a
/// region can create one.
constexpr std::size_t many_name_spaces = 1000;

/// Returns `moment` plus `step`, or nothing if that is not a time that a clock can be set to.
std::optional<base::TimePoint> moved(base::TimePoint moment, std::chrono::microseconds step) {
  const bool within = step >= base::earliest_time - moment && step <= base::latest_time - moment;
  return within ? std::optional(moment + step) : std::nullopt;
}

}  // namespace

World::World(std::shared_ptr<kv::Engine> engine, const base::Clock& real_clock, base::Ids& ids,
             std::span<const WorldFace> faces, store::StoreOptions options, base::JobRunner* runner,
             const base::ClockSetting& clock, WorldPeers peers, RegionSetting regions)
    : engine_(std::move(engine)),
      clock_(real_clock, clock),
      ids_(ids),
      options_(options),
      faces_(faces.begin(), faces.end()),
      peers_(std::move(peers)),
      jobs_(clock_, runner, &real_clock),
      lanes_(jobs_) {
  options_.appended = [this] { lanes_.appended(); };
  links_.replace(std::move(regions));
  for (const WorldFace& one : faces)
    stores_.push_back({one.face, std::make_unique<store::Store>(*engine_, clock_, ids, one.face, options_)});
  for (FaceStore& one : stores_) open_name_spaces(one);
  if (engine_->capabilities().shared) faults_.share(std::make_unique<SharedFaultCounts>(*engine_));
  if (!peers_.work_is_here) {
    end_work();
    return;
  }
  for (const WorldFace& one : faces_) one.resume(*this);
}

World::~World() {
  // Steps of jobs wake lanes, and those of lanes add jobs: both end before either is destroyed.
  lanes_.stop();
}

void World::find_name_spaces() {
  if (!engine_->capabilities().shared) return;
  for (FaceStore& one : stores_) open_name_spaces(one);
}

void World::find_work() {
  find_name_spaces();
  for (const WorldFace& one : faces_) one.resume(*this);
}

void World::begin_work() {
  jobs_.do_here();
  lanes_.do_here();
  find_work();
}

void World::end_work() {
  // A step of a job may wake lanes, and one of a lane add jobs.
  jobs_.leave_elsewhere(peers_.leave_work);
  lanes_.leave_elsewhere(peers_.leave_work);
}

World::FaceStore& World::face(std::uint8_t face_id) {
  const auto found = std::ranges::find(stores_, face_id, [](const FaceStore& one) { return one.face.id; });
  if (found == stores_.end()) throw std::logic_error("a world has no store for this front end");
  return *found;
}

store::Store& World::store(std::uint8_t face_id) {
  return *face(face_id).store;
}

std::shared_ptr<store::Store> World::make_store(const store::Face& face, std::string name_space) {
  return std::make_shared<store::Store>(*engine_, clock_, ids_, face, options_, std::move(name_space));
}

/// What cannot be read is found by those who open it.
void World::open_name_spaces(FaceStore& face) {
  const auto kept = store::name_spaces(*engine_, face.face.id);
  if (!kept) return;
  const std::unique_lock guard(name_spaces_);
  for (const std::string& name : *kept) {
    NameSpace& opened = face.name_spaces[name];
    if (!opened.store) opened.store = make_store(face.face, name);
    opened.kept = true;
  }
}

std::shared_ptr<store::Store> World::store(std::uint8_t face_id, std::string_view name_space) {
  FaceStore& face = this->face(face_id);
  if (name_space.empty()) return {std::shared_ptr<store::Store>(), face.store.get()};
  {
    const std::shared_lock guard(name_spaces_);
    if (const auto found = face.name_spaces.find(name_space); found != face.name_spaces.end())
      return found->second.store;
  }
  const std::unique_lock guard(name_spaces_);
  if (face.name_spaces.size() >= many_name_spaces) drop_unwritten(face.name_spaces);
  NameSpace& added = face.name_spaces[std::string(name_space)];
  if (!added.store) added.store = make_store(face.face, std::string(name_space));
  return added.store;
}

/// No job refers to what was not written, and no request to what nobody else holds.
void World::drop_unwritten(NameSpaces& name_spaces) {
  std::erase_if(name_spaces, [](const auto& one) {
    const NameSpace& name_space = one.second;
    return !name_space.kept && name_space.store.use_count() == 1 && !name_space.store->was_written();
  });
}

std::vector<store::Store*> World::stores(std::uint8_t face_id) {
  FaceStore& face = this->face(face_id);
  std::vector<store::Store*> stores{face.store.get()};
  const std::shared_lock guard(name_spaces_);
  for (const auto& [name, name_space] : face.name_spaces) {
    if (name_space.kept || name_space.store->was_written()) stores.push_back(name_space.store.get());
  }
  return stores;
}

FaceState& World::state(std::uint8_t face_id, std::unique_ptr<FaceState> (*make)()) {
  const std::lock_guard guard(states_);
  std::unique_ptr<FaceState>& state = face(face_id).state;
  if (state == nullptr) state = make();
  return *state;
}

kv::Result<bool> World::untouched() const {
  return store::is_untouched(*engine_);
}

kv::Result<ClockOutcome> World::change_clock(const ClockChange& change) {
  // What becomes due on the way is done by this server.
  DINETTE_CHECK(peers_.take_work());
  ClockMove move;
  {
    const std::lock_guard guard(clock_mutex_);
    if (clock_move_) return ClockOutcome::busy;
    move.before = clock_.setting();
    move.from = clock_.now();
    const auto to =
        moved(change.now.value_or(move.from), change.advance.value_or(std::chrono::microseconds(0)));
    if (!to) return ClockOutcome::out_of_range;
    move.to = *to;
    clock_move_ = move;
  }
  const std::unique_ptr<World, void (*)(World*)> end(this, [](World* world) { world->end_move(); });
  if (!move_clock(move)) return ClockOutcome::stopped;
  {
    const std::lock_guard guard(clock_mutex_);
    clock_.set(move.to, change.rate.value_or(move.before.rate), change.frozen.value_or(move.before.frozen));
    clock_move_.reset();
    DINETTE_CHECK(store::keep_clock(*engine_, clock_.setting()));
  }
  DINETTE_CHECK(peers_.announce());
  return ClockOutcome::changed;
}

/// Returns false if the process is ending.
bool World::move_clock(const ClockMove& move) {
  const auto stand_at = [&](base::TimePoint moment) { clock_.set(moment, move.before.rate, true); };
  stand_at(move.from);
  if (!jobs_.run_until(move.to, stand_at)) return false;
  if (move.to < move.from) {
    for (const FaceStore& one : stores_) {
      for (store::Store* store : stores(one.face.id)) store->forget_history();
    }
  }
  return true;
}

kv::Result<void> World::replace_faults(std::vector<FaultRule> rules) {
  if (!engine_->capabilities().shared) {
    faults_.replace(std::move(rules));
    return {};
  }
  DINETTE_CHECK(keep_faults(*engine_, rules));
  DINETTE_CHECK(follow_faults());
  return peers_.announce();
}

kv::Result<void> World::follow_faults() {
  DINETTE_TRY(FaultSet kept, read_faults(*engine_));
  if (kept.number != faults_.set()) faults_.replace(std::move(kept.rules), kept.number);
  return {};
}

kv::Result<void> World::replace_regions(RegionSetting setting) {
  {
    const std::lock_guard guard(regions_mutex_);
    DINETTE_CHECK(keep_regions(*engine_, setting));
    links_.replace(std::move(setting));
  }
  lanes_.appended();
  return peers_.announce();
}

kv::Result<void> World::follow_regions() {
  const std::lock_guard guard(regions_mutex_);
  DINETTE_TRY(RegionSetting kept, read_regions(*engine_));
  if (kept == links_.setting()) return {};
  links_.replace(std::move(kept));
  lanes_.appended();
  return {};
}

kv::Result<void> World::follow() {
  find_name_spaces();
  DINETTE_CHECK(follow_faults());
  DINETTE_CHECK(follow_regions());
  return follow_clock();
}

kv::Result<void> World::follow_clock() {
  DINETTE_TRY(const base::ClockSetting kept, store::read_clock(*engine_));
  {
    const std::lock_guard guard(clock_mutex_);
    if (clock_move_ || kept == clock_.setting()) return {};
    clock_.set(kept);
  }
  for (const FaceStore& one : stores_) {
    for (store::Store* store : stores(one.face.id)) store->forget_history();
  }
  jobs_.clock_changed();
  return {};
}

/// Lets the clock go on where it is, if it was stopped on the way, and has the jobs look at it.
void World::end_move() {
  {
    const std::lock_guard guard(clock_mutex_);
    if (clock_move_) clock_.set(clock_.now(), clock_move_->before.rate, clock_move_->before.frozen);
    clock_move_.reset();
  }
  jobs_.clock_changed();
}

/// Returns the setting without what a move of the clock makes of it.
base::ClockSetting World::clock_setting() const {
  const std::lock_guard guard(clock_mutex_);
  base::ClockSetting setting = clock_.setting();
  if (clock_move_) setting.frozen = clock_move_->before.frozen;
  return setting;
}

ClockState World::clock_state() const {
  const std::lock_guard guard(clock_mutex_);
  const base::ClockSetting setting = clock_.setting();
  ClockState state{clock_.now(), setting.rate, setting.frozen};
  if (!clock_move_) return state;
  state.frozen = clock_move_->before.frozen;
  state.moving_to = clock_move_->to;
  return state;
}

kv::Result<store::Size> World::size() const {
  store::Size all;
  for (const FaceStore& one : stores_) {
    if (!one.face.has_tables) continue;
    DINETTE_TRY(const store::Size size, one.store->size());
    all += size;
  }
  return all;
}

kv::Result<std::vector<NameSpaceTables>> World::name_spaces() {
  constexpr std::size_t all_tables = std::numeric_limits<std::size_t>::max();
  std::vector<NameSpaceTables> found;
  find_name_spaces();
  for (const FaceStore& one : stores_) {
    if (!one.face.has_tables) continue;
    for (store::Store* const store : stores(one.face.id)) {
      if (store->name_space().empty()) continue;
      DINETTE_TRY(const auto tables, store->catalog().list("", all_tables));
      if (!tables.empty()) found.push_back({store->name_space(), tables.size()});
    }
  }
  return found;
}

kv::Result<store::KeptHistory> World::kept_history() const {
  store::KeptHistory all;
  for (const FaceStore& one : stores_) {
    DINETTE_TRY(const store::KeptHistory kept, one.store->kept_history());
    all += kept;
  }
  return all;
}

kv::Result<WorldImage> World::image() const {
  DINETTE_TRY(std::shared_ptr<const kv::Engine> data, engine_->fork());
  return WorldImage{std::move(data), clock_setting()};
}

}  // namespace dinette::tenancy
