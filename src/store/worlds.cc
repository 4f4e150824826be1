#include "dinette/store/worlds.h"

#include <mutex>
#include <utility>

namespace dinette::store {

Worlds::Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids)
    : options_(std::move(options)), clock_(clock), ids_(ids), default_(make(options_.make_engine())) {}

std::shared_ptr<World> Worlds::make(std::shared_ptr<kv::Engine> engine) {
  return std::make_shared<World>(std::move(engine), clock_, ids_, options_.faces, options_.store,
                                 options_.run_jobs ? &runner_ : nullptr);
}

std::shared_ptr<World> Worlds::pick(std::string_view name) {
  if (auto world = find(name)) return world;
  return add_named(name);
}

std::shared_ptr<World> Worlds::find(std::string_view name) const {
  if (name.empty()) return default_.load();
  const std::shared_lock guard(mutex_);
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

std::shared_ptr<World> Worlds::add_named(std::string_view name) {
  std::vector<std::shared_ptr<World>> dropped;  // destroyed after the lock
  auto world = make(options_.make_engine());
  const std::unique_lock guard(mutex_);
  if (named_.size() >= options_.many_worlds) dropped = take_untouched();
  return named_.try_emplace(std::string(name), std::move(world)).first->second;
}

std::vector<std::shared_ptr<World>> Worlds::take_untouched() {
  std::vector<std::shared_ptr<World>> taken;
  for (auto one = named_.begin(); one != named_.end();) {
    // A request that has picked it may be about to create a table.
    const bool unused = one->second.use_count() == 1;
    const auto untouched = unused ? one->second->untouched() : kv::Result<bool>(false);
    if (!untouched || !*untouched) {
      ++one;
      continue;
    }
    taken.push_back(std::move(one->second));
    one = named_.erase(one);
  }
  return taken;
}

void Worlds::put(std::string_view name, std::shared_ptr<World> world) {
  if (name.empty()) {
    default_.exchange(std::move(world));
    return;
  }
  const std::unique_lock guard(mutex_);
  named_[std::string(name)].swap(world);
}

kv::Result<void> Worlds::fork(std::string_view from, std::string_view to) {
  const std::shared_ptr<World> origin = pick(from);
  DINETTE_TRY(std::shared_ptr<kv::Engine> engine, origin->engine().fork());
  put(to, make(std::move(engine)));
  return {};
}

void Worlds::reset(std::string_view name) {
  put(name, make(options_.make_engine()));
}

bool Worlds::drop(std::string_view name) {
  if (name.empty()) {
    reset(name);
    return true;
  }
  std::shared_ptr<World> dropped;  // destroyed after the lock
  const std::unique_lock guard(mutex_);
  const auto found = named_.find(name);
  if (found == named_.end()) return false;
  dropped = std::move(found->second);
  named_.erase(found);
  return true;
}

std::vector<std::string> Worlds::names() const {
  const std::shared_lock guard(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, world] : named_) names.push_back(name);
  return names;
}

}  // namespace dinette::store
