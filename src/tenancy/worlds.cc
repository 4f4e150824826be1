#include "dinette/tenancy/worlds.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <mutex>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"
#include "dinette/store/format.h"
#include "dinette/store/kept_clock.h"

#include "tenancy/dropped_names.h"

namespace dinette::tenancy {
namespace {

constexpr const char* unused_worlds = "unused worlds";
constexpr const char* retired_worlds = "retired worlds";

/// How often worlds that cannot be found any more are looked at for requests that are still in them.
constexpr std::chrono::milliseconds retired_interval{20};

/// How often it is looked whether the data are still where they are kept.
constexpr std::chrono::seconds look_interval{2};

// What the engines keep with a world: nothing for a tenant's, else this, and the seconds of its ttl if it has
// one.
constexpr std::string_view fork_word = "fork";

std::string fork_note(std::optional<std::chrono::seconds> ttl) {
  std::string note(fork_word);
  if (ttl) note += " " + std::to_string(ttl->count());
  return note;
}

/// Returns nothing for a world of a tenant, else the fork's ttl.
std::optional<std::optional<std::chrono::seconds>> read_fork_note(std::string_view note) {
  if (!note.starts_with(fork_word)) return std::nullopt;
  std::int64_t seconds = 0;
  const std::string_view number = note.substr(std::min(fork_word.size() + 1, note.size()));
  const auto read = std::from_chars(number.data(), number.data() + number.size(), seconds);
  if (read.ec != std::errc()) return std::optional<std::chrono::seconds>();
  return std::optional(std::chrono::seconds(seconds));
}

/// Returns true for the world of a region, as programs made them until regions became name spaces of one
/// world:
/// "<account>/<region>". It cannot be merged into one, but what it holds stays within reach.
bool is_of_region(std::string_view name) {
  return name.find('/') != std::string_view::npos;
}

/// How many worlds of tenants are looked at for each that is created when there are many.
constexpr std::size_t looked_at_per_world = 8;

bool is_untouched(const World& world) {
  const auto untouched = world.untouched();
  return untouched && *untouched;
}

struct OpenedEngine {
  std::shared_ptr<kv::Engine> engine;
  base::ClockSetting clock;
};

kv::Result<OpenedEngine> open_engine(kv::Engines& engines, std::string_view name) {
  DINETTE_TRY(auto engine, engines.open(name));
  DINETTE_CHECK(store::check_format(*engine));
  DINETTE_TRY(const auto clock, store::read_clock(*engine));
  return OpenedEngine{std::move(engine), clock};
}

/// Returns the engine that is kept for the default world; makes it if there is none.
kv::Result<std::shared_ptr<kv::Engine>> open_default(kv::Engines& engines,
                                                     const std::vector<kv::Engines::Kept>& kept) {
  if (std::ranges::find(kept, "", &kv::Engines::Kept::name) != kept.end()) {
    DINETTE_TRY(auto opened, open_engine(engines, ""));
    return std::move(opened.engine);
  }
  DINETTE_TRY(auto engine, engines.make());
  DINETTE_CHECK(store::check_format(*engine));
  DINETTE_CHECK(engines.keep("", "", *engine));
  return engine;
}

}  // namespace

Worlds::Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids)
    : options_(std::move(options)),
      clock_(clock),
      ids_(ids),
      default_(options_.default_engine
                   ? make(options_.default_engine, store::read_clock(*options_.default_engine).value())
                   : make_empty().value()),
      dropped_(std::make_unique<DroppedNames>(options_.remembered_forks)),
      jobs_(clock, options_.run_jobs ? &runner_ : nullptr) {}

Worlds::~Worlds() {
  runner_.stop();
}

kv::Result<std::unique_ptr<Worlds>> Worlds::open(WorldsOptions options, const base::Clock& clock,
                                                 base::Ids& ids) {
  const auto kept = options.engines->kept();
  DINETTE_TRY(options.default_engine, open_default(*options.engines, kept));
  auto worlds = std::make_unique<Worlds>(std::move(options), clock, ids);
  for (const kv::Engines::Kept& one : kept) DINETTE_CHECK(worlds->open_kept(one));
  if (worlds->options_.engines->capabilities().durable) {
    worlds->jobs_.add(clock.now() + look_interval,
                      [&all = *worlds](const std::stop_token&) { return all.look_after_engines(); });
  }
  return worlds;
}

base::Jobs::Next Worlds::look_after_engines() {
  options_.engines->look_after();
  return clock_.now() + look_interval;
}

kv::Result<void> Worlds::open_kept(const kv::Engines::Kept& kept) {
  if (kept.name.empty()) return {};
  DINETTE_TRY(auto opened, open_engine(*options_.engines, kept.name));
  auto world = make(std::move(opened.engine), opened.clock);
  auto ttl = read_fork_note(kept.note);
  if (!ttl && is_of_region(kept.name)) {
    base::log(
        base::LogLevel::warn,
        "the folder has a world that an earlier program made for a region; requests see it if they name it",
        {{"world", kept.name}});
    ttl.emplace();  // as a fork
  }
  const std::unique_lock guard(mutex_);
  if (!ttl) {
    named_.try_emplace(kept.name, std::move(world));
    fresh_.insert(kept.name);
    return {};
  }
  const base::TimePoint now = clock_.now();
  named_.try_emplace(kept.name, std::move(world), *ttl, now);
  ++forks_;
  if (*ttl) drop_when_unused(now + **ttl);
  return {};
}

std::shared_ptr<World> Worlds::make(std::shared_ptr<kv::Engine> engine, const base::ClockSetting& clock) {
  return std::make_shared<World>(std::move(engine), clock_, ids_, options_.faces, options_.store,
                                 options_.run_jobs ? &runner_ : nullptr, clock);
}

kv::Result<std::shared_ptr<World>> Worlds::make_empty() {
  DINETTE_TRY(auto engine, options_.engines->make());
  DINETTE_CHECK(store::check_format(*engine));
  return make(std::move(engine));
}

kv::Result<std::shared_ptr<World>> Worlds::make_from(const WorldImage& image) {
  DINETTE_TRY(std::shared_ptr<kv::Engine> engine, image.data->fork());
  DINETTE_CHECK(store::keep_clock(*engine, image.clock));
  return make(std::move(engine), image.clock);
}

kv::Result<std::shared_ptr<World>> Worlds::pick(std::string_view name) {
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

std::optional<base::TimePoint> Worlds::dropped_at(std::string_view name) const {
  if (!has_dropped_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::shared_lock guard(mutex_);
  return named_.contains(name) ? std::nullopt : dropped_->find(name);
}

kv::Result<std::shared_ptr<World>> Worlds::add_named(std::string_view name) {
  if (options_.engines->capabilities().may_block && !base::may_wait())
    return base::Failure{kv::Error{kv::ErrorKind::would_block, "a new world is made on the disk"}};
  const std::lock_guard changes(changes_);
  if (auto world = find(name)) return world;
  DINETTE_TRY(auto world, make_empty());
  DINETTE_CHECK(options_.engines->keep(name, "", world->engine()));
  Taken dropped;
  if (named_.size() >= options_.many_worlds) take_untouched(dropped);
  {
    const std::unique_lock guard(mutex_);
    named_.try_emplace(std::string(name), world);
  }
  fresh_.emplace(name);
  DINETTE_CHECK(forget(std::move(dropped)));
  return world;
}

kv::Result<std::shared_ptr<World>> Worlds::add_fork(std::string_view name, const WorldImage& image,
                                                    std::optional<std::chrono::seconds> ttl) {
  if (name.empty()) return std::shared_ptr<World>();
  const std::lock_guard changes(changes_);
  if (find(name)) return std::shared_ptr<World>();
  DINETTE_TRY(auto world, make_from(image));
  DINETTE_CHECK(options_.engines->keep(name, fork_note(ttl), world->engine()));
  const base::TimePoint now = clock_.now();
  {
    const std::unique_lock guard(mutex_);
    named_.try_emplace(std::string(name), world, ttl, now);
    ++forks_;
    dropped_->remove(name);
    update_has_dropped();
  }
  if (ttl) drop_when_unused(now + *ttl);
  return world;
}

void Worlds::drop_when_unused(base::TimePoint moment) {
  jobs_.add_once(unused_worlds, moment, [this](const std::stop_token&) { return drop_unused(); });
}

void Worlds::take(NamedWorlds::iterator one, Taken& taken) {
  if (one->second.fork) {
    --forks_;
    dropped_->add(one->first, clock_.now());
    update_has_dropped();
  }
  taken.emplace(one->first, std::move(one->second.world));
  fresh_.erase(one->first);
  named_.erase(one);
}

void Worlds::update_has_dropped() {
  has_dropped_.store(dropped_->size() > 0, std::memory_order_relaxed);
}

/// Looks at a few, in turn, so that a new world does not cost more the more there are: of those that it finds
/// to have had a table it need not think again. To be called with changes_ held, and without mutex_.
void Worlds::take_untouched(Taken& taken) {
  for (std::size_t left = std::min(looked_at_per_world, fresh_.size()); left > 0; --left) {
    auto next = fresh_.upper_bound(looked_at_);
    if (next == fresh_.end()) next = fresh_.begin();
    looked_at_ = *next;
    const auto one = named_.find(looked_at_);
    if (!is_untouched(*one->second.world)) {
      fresh_.erase(next);
      continue;
    }
    // A request that has picked it may be about to create a table, or has done so meanwhile.
    const std::unique_lock guard(mutex_);
    if (one->second.world.use_count() == 1 && is_untouched(*one->second.world)) take(one, taken);
  }
}

kv::Result<void> Worlds::forget(Taken taken) {
  kv::Result<void> result;
  std::vector<std::shared_ptr<World>> worlds;
  for (auto& [name, world] : taken) {
    if (const auto forgotten = options_.engines->forget(name); !forgotten) result = forgotten;
    worlds.push_back(std::move(world));
  }
  retire(std::move(worlds));
  return result;
}

/// Returns when the next world may be unused for its time, if no call finds it until then.
base::Jobs::Next Worlds::drop_unused() {
  const std::lock_guard changes(changes_);
  Taken dropped;
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
  if (const auto forgotten = forget(std::move(dropped)); !forgotten) {
    base::log(base::LogLevel::error, "an unused world cannot be dropped for good",
              {{"reason", forgotten.error().message}});
  }
  return next;
}

void Worlds::retire(std::vector<std::shared_ptr<World>> worlds) {
  for (const auto& world : worlds) world->faults().replace({});  // no delay holds up its last request
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
  const auto in_use = [](const std::shared_ptr<World>& world) {
    // Freeing a world waits for its steps, of which one may wait for a network.
    return world.use_count() > 1 || world->jobs().is_running();
  };
  const auto rest = std::partition(retired_.begin(), retired_.end(), in_use);
  std::move(rest, retired_.end(), std::back_inserter(unused));
  retired_.erase(rest, retired_.end());
  return retired_.empty() ? base::Jobs::done : clock_.now() + retired_interval;
}

/// Replaces the world of that name by `world`. To be called with changes_ held.
kv::Result<void> Worlds::put(std::string_view name, std::shared_ptr<World> world) {
  if (name.empty()) {
    DINETTE_CHECK(options_.engines->keep(name, "", world->engine()));
    retire({default_.exchange(std::move(world))});
    return {};
  }
  DINETTE_CHECK(options_.engines->keep(name, note_of(name), world->engine()));
  {
    const std::unique_lock guard(mutex_);
    Named& named = named_[std::string(name)];
    named.world.swap(world);
    if (!named.fork) fresh_.emplace(name);
  }
  if (world) retire({std::move(world)});
  return {};
}

/// Returns what the engines keep with the world: what is to be known of it when it is opened again.
std::string Worlds::note_of(std::string_view name) const {
  const std::shared_lock guard(mutex_);
  const auto found = named_.find(name);
  return found != named_.end() && found->second.fork ? fork_note(found->second.ttl) : "";
}

kv::Result<void> Worlds::restore(std::string_view name, const WorldImage& image) {
  const std::lock_guard changes(changes_);
  DINETTE_TRY(auto world, make_from(image));
  return put(name, std::move(world));
}

kv::Result<void> Worlds::fork(std::string_view from, std::string_view to) {
  DINETTE_TRY(const auto origin, pick(from));
  DINETTE_TRY(const WorldImage image, origin->image());
  return restore(to, image);
}

kv::Result<void> Worlds::reset(std::string_view name) {
  const std::lock_guard changes(changes_);
  DINETTE_TRY(auto world, make_empty());
  return put(name, std::move(world));
}

kv::Result<void> Worlds::reset_all() {
  DINETTE_CHECK(reset(""));
  const std::lock_guard changes(changes_);
  Taken dropped;
  {
    const std::unique_lock guard(mutex_);
    dropped_->clear();
    update_has_dropped();
    while (!named_.empty()) take(named_.begin(), dropped);
  }
  return forget(std::move(dropped));
}

kv::Result<bool> Worlds::drop(std::string_view name) {
  if (name.empty()) {
    DINETTE_CHECK(reset(name));
    return true;
  }
  const std::lock_guard changes(changes_);
  Taken dropped;
  {
    const std::unique_lock guard(mutex_);
    const auto found = named_.find(name);
    if (found == named_.end()) return false;
    take(found, dropped);
  }
  DINETTE_CHECK(forget(std::move(dropped)));
  return true;
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

}  // namespace dinette::tenancy
