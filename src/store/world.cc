#include "dinette/store/world.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "store/keys.h"

namespace dinette::store {

World::World(std::shared_ptr<kv::Engine> engine, const base::Clock& clock, base::Ids& ids,
             std::span<const WorldFace> faces, StoreOptions options, base::JobRunner* runner)
    : engine_(std::move(engine)), clock_(clock), jobs_(clock, runner) {
  for (const WorldFace& one : faces) {
    stores_.push_back({one.face.id, std::make_unique<Store>(*engine_, clock, ids, one.face, options)});
  }
  for (const WorldFace& one : faces) one.resume(*this);
}

Store& World::store(std::uint8_t face_id) {
  const auto found = std::ranges::find(stores_, face_id, &FaceStore::face_id);
  if (found == stores_.end()) throw std::logic_error("a world has no store for this front end");
  return *found->store;
}

kv::Result<bool> World::untouched() const {
  DINETTE_TRY(const auto last_id, engine_->get(EngineKey::last_id().view()));
  return !last_id;
}

}  // namespace dinette::store
