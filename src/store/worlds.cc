#include "dinette/store/worlds.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace dinette::store {
namespace {

constexpr const char* unused_worlds = "unused worlds";
constexpr const char* retired_worlds = "retired worlds";

/// How often worlds that cannot be found any more are looked at for requests that are still in them.
constexpr std::chrono::milliseconds retired_interval{20};

}  // namespace

Worlds::Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids)
    : options_(std::move(options)),
      clock_(clock),
      ids_(ids),
      default_(make(options_.make_engine())),
      jobs_(clock, options_.run_jobs ? &runner_ : nullptr) {}

std::shared_ptr<World> Worlds::make(std::shared_ptr<kv::Engine> engine, const base::ClockSetting& clock) {
  return std::make_shared<World>(std::move(engine), clock_, ids_, options_.faces, options_.store,
                                 options_.run_jobs ? &runner_ : nullptr, clock);
}

kv::Result<std::shared_ptr<World>> Worlds::make_from(const WorldImage& image) {
  DINETTE_TRY(std::shared_ptr<kv::Engine> engine, image.data->fork());
  return make(std::move(engine), image.clock);
}

std::shared_ptr<World> Worlds::pick(std::string_view name) {
  if (auto world = find(name)) return world;
  return add_named(name);
}

std::shared_ptr<World> Worlds::find(std::string_view name) {
  return name.empty() ? default_.load() : find_named(name, false);
}

std::shared_ptr<World> Worlds::find_named(std::string_view name, bool only_forks) {
  const std::shared_lock guard(mutex_);
  const auto found = named_.find(name);
  if (found == named_.end()) return nullptr;
  Named& named = found->second;
  if (only_forks && !named.fork) return nullptr;
  if (named.ttl) named.last_used = clock_.now();
  return named.world;
}

std::shared_ptr<World> Worlds::add_named(std::string_view name) {
  std::vector<std::shared_ptr<World>> dropped;
  auto world = make(options_.make_engine());
  {
    const std::unique_lock guard(mutex_);
    if (named_.size() >= options_.many_worlds) take_untouched(dropped);
    world = named_.try_emplace(std::string(name), world).first->second.world;
  }
  retire(std::move(dropped));
  return world;
}

kv::Result<std::shared_ptr<World>> Worlds::add_fork(std::string_view name, const WorldImage& image,
                                                    std::optional<std::chrono::seconds> ttl) {
  DINETTE_TRY(const std::shared_ptr<World> world, make_from(image));
  const base::TimePoint now = clock_.now();
  {
    const std::unique_lock guard(mutex_);
    const bool added = !name.empty() && named_.try_emplace(std::string(name), world, ttl, now).second;
    if (!added) return std::shared_ptr<World>();
    ++forks_;
  }
  if (ttl)
    jobs_.add_once(unused_worlds, now + *ttl, [this](const std::stop_token&) { return drop_unused(); });
  return world;
}

void Worlds::take(NamedWorlds::iterator one, std::vector<std::shared_ptr<World>>& taken) {
  if (one->second.fork) --forks_;
  taken.push_back(std::move(one->second.world));
  named_.erase(one);
}

void Worlds::take_untouched(std::vector<std::shared_ptr<World>>& taken) {
  for (auto next = named_.begin(); next != named_.end();) {
    const auto one = next++;
    // A request that has picked it may be about to create a table.
    const bool unused = !one->second.fork && one->second.world.use_count() == 1;
    const auto untouched = unused ? one->second.world->untouched() : kv::Result<bool>(false);
    if (untouched && *untouched) take(one, taken);
  }
}

/// Returns when the next world may be unused for its time, if no call finds it until then.
base::Jobs::Next Worlds::drop_unused() {
  std::vector<std::shared_ptr<World>> dropped;
  base::Jobs::Next next;
  {
    const std::unique_lock guard(mutex_);
    const base::TimePoint now = clock_.now();
    for (auto following = named_.begin(); following != named_.end();) {
      const auto one = following++;
      if (!one->second.ttl) continue;
      const base::TimePoint end = one->second.last_used.load() + *one->second.ttl;
      if (end <= now) {
        take(one, dropped);
      } else {
        next = next ? std::min(*next, end) : end;
      }
    }
  }
  retire(std::move(dropped));
  return next;
}

void Worlds::retire(std::vector<std::shared_ptr<World>> worlds) {
  if (!options_.run_jobs || worlds.empty()) return;
  {
    const std::lock_guard guard(retired_mutex_);
    std::ranges::move(worlds, std::back_inserter(retired_));
  }
  jobs_.add_once(retired_worlds, base::Jobs::at_once,
                 [this](const std::stop_token&) { return free_retired(); });
}

base::Jobs::Next Worlds::free_retired() {
  std::vector<std::shared_ptr<World>> unused;  // destroyed after the lock
  const std::lock_guard guard(retired_mutex_);
  const auto in_use = [](const std::shared_ptr<World>& world) { return world.use_count() > 1; };
  const auto rest = std::partition(retired_.begin(), retired_.end(), in_use);
  std::move(rest, retired_.end(), std::back_inserter(unused));
  retired_.erase(rest, retired_.end());
  return retired_.empty() ? base::Jobs::done : clock_.now() + retired_interval;
}

void Worlds::put(std::string_view name, std::shared_ptr<World> world) {
  if (name.empty()) {
    world = default_.exchange(std::move(world));
  } else {
    const std::unique_lock guard(mutex_);
    named_[std::string(name)].world.swap(world);
  }
  if (world) retire({std::move(world)});
}

kv::Result<void> Worlds::restore(std::string_view name, const WorldImage& image) {
  DINETTE_TRY(auto world, make_from(image));
  put(name, std::move(world));
  return {};
}

kv::Result<void> Worlds::fork(std::string_view from, std::string_view to) {
  DINETTE_TRY(const WorldImage image, pick(from)->image());
  return restore(to, image);
}

void Worlds::reset(std::string_view name) {
  put(name, make(options_.make_engine()));
}

void Worlds::reset_all() {
  reset("");
  std::vector<std::shared_ptr<World>> dropped;
  {
    const std::unique_lock guard(mutex_);
    while (!named_.empty()) take(named_.begin(), dropped);
  }
  retire(std::move(dropped));
}

bool Worlds::drop(std::string_view name) {
  if (name.empty()) {
    reset(name);
    return true;
  }
  std::vector<std::shared_ptr<World>> dropped;
  {
    const std::unique_lock guard(mutex_);
    const auto found = named_.find(name);
    if (found != named_.end()) take(found, dropped);
  }
  const bool existed = !dropped.empty();
  retire(std::move(dropped));
  return existed;
}

std::vector<std::string> Worlds::names() const {
  const std::shared_lock guard(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, named] : named_) names.push_back(name);
  return names;
}

std::vector<ListedWorld> Worlds::list() const {
  std::vector<ListedWorld> listed{{.name = "", .world = default_.load()}};
  const std::shared_lock guard(mutex_);
  for (const auto& [name, named] : named_) listed.push_back({name, named.world, named.fork, named.ttl});
  return listed;
}

}  // namespace dinette::store
