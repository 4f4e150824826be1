#include "dinette/store/world.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "store/kept_clock.h"
#include "store/keys.h"
#include "store/world_size.h"

namespace dinette::store {
namespace {

/// Returns `moment` plus `step`, or nothing if that is not a time that a clock can be set to.
std::optional<base::TimePoint> moved(base::TimePoint moment, std::chrono::microseconds step) {
  const bool within = step >= base::earliest_time - moment && step <= base::latest_time - moment;
  return within ? std::optional(moment + step) : std::nullopt;
}

}  // namespace

World::World(std::shared_ptr<kv::Engine> engine, const base::Clock& real_clock, base::Ids& ids,
             std::span<const WorldFace> faces, StoreOptions options, base::JobRunner* runner,
             const base::ClockSetting& clock)
    : engine_(std::move(engine)), clock_(real_clock, clock), jobs_(clock_, runner) {
  for (const WorldFace& one : faces) {
    stores_.push_back({one.face.id, std::make_unique<Store>(*engine_, clock_, ids, one.face, options)});
  }
  for (const WorldFace& one : faces) one.resume(*this);
}

World::FaceStore& World::face(std::uint8_t face_id) {
  const auto found = std::ranges::find(stores_, face_id, &FaceStore::face_id);
  if (found == stores_.end()) throw std::logic_error("a world has no store for this front end");
  return *found;
}

Store& World::store(std::uint8_t face_id) {
  return *face(face_id).store;
}

FaceState& World::state(std::uint8_t face_id, std::unique_ptr<FaceState> (*make)()) {
  const std::lock_guard guard(states_);
  std::unique_ptr<FaceState>& state = face(face_id).state;
  if (state == nullptr) state = make();
  return *state;
}

kv::Result<bool> World::untouched() const {
  DINETTE_TRY(const auto last_id, engine_->get(EngineKey::last_id().view()));
  return !last_id;
}

kv::Result<bool> World::change_clock(const ClockChange& change) {
  const std::lock_guard guard(clock_changes_);
  const base::ClockSetting before = clock_.setting();
  const base::TimePoint from = clock_.now();
  const auto to = moved(change.now.value_or(from), change.advance.value_or(std::chrono::microseconds(0)));
  if (!to) return false;
  const auto stand_at = [this, &before](base::TimePoint moment) { clock_.set(moment, before.rate, true); };
  stand_at(from);
  jobs_.run_until(*to, stand_at);
  if (*to < from) {
    for (const FaceStore& one : stores_) one.store->forget_history();
  }
  clock_.set(*to, change.rate.value_or(before.rate), change.frozen.value_or(before.frozen));
  jobs_.clock_changed();
  DINETTE_CHECK(keep_clock(*engine_, clock_.setting()));
  return true;
}

kv::Result<WorldSize> World::size() const {
  WorldSize size;
  for (const FaceStore& one : stores_) DINETTE_CHECK(add_size(*engine_, one.face_id, size));
  return size;
}

kv::Result<WorldImage> World::image() const {
  DINETTE_TRY(std::shared_ptr<const kv::Engine> data, engine_->fork());
  return WorldImage{std::move(data), clock_.setting()};
}

}  // namespace dinette::store
