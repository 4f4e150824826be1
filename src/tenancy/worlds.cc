#include "dinette/tenancy/worlds.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <mutex>
#include <utility>

#include "dinette/base/background.h"
#include "dinette/base/log.h"
#include "dinette/base/record_bytes.h"
#include "dinette/base/waiting.h"
#include "dinette/store/format.h"
#include "dinette/store/kept_clock.h"
#include "dinette/store/kept_setting.h"

#include "tenancy/dropped_names.h"
#include "tenancy/kept_regions.h"
#include "tenancy/shared_faults.h"

namespace dinette::tenancy {
namespace {

constexpr const char* unused_worlds = "unused worlds";
constexpr const char* retired_worlds = "retired worlds";

constexpr std::string_view last_use = "last use";  // a setting of a world

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

// An image is kept as a world is that no request can find: under a name of its number, with this and its own
// note.
constexpr std::string_view image_word = "image ";

std::string image_name(std::uint64_t number) {
  return std::string(image_word) + std::to_string(number);
}

bool is_image(const kv::Engines::Kept& kept) {
  return kept.note.starts_with(image_word);
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
  RegionSetting regions;
};

kv::Result<OpenedEngine> open_engine(kv::Engines& engines, std::string_view name) {
  DINETTE_TRY(auto engine, engines.open(name));
  DINETTE_CHECK(store::check_format(*engine));
  DINETTE_TRY(const auto clock, store::read_clock(*engine));
  DINETTE_TRY(auto regions, read_regions(*engine));
  return OpenedEngine{std::move(engine), clock, std::move(regions)};
}

/// Fails if they cannot be read, which are not gone then: the default world always is there.
kv::Result<std::vector<kv::Engines::Kept>> list_kept(const kv::Engines& engines) {
  std::vector<kv::Engines::Kept> kept = engines.kept();
  if (std::ranges::find(kept, "", &kv::Engines::Kept::name) == kept.end())
    return base::Failure{kv::Error{kv::ErrorKind::io, "the worlds cannot be listed"}};
  return kept;
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
  DINETTE_TRY(const bool is_first, engines.keep_new("", "", *engine));
  if (is_first) return engine;
  DINETTE_TRY(auto opened, open_engine(engines, ""));
  return std::move(opened.engine);
}

}  // namespace

/// This server among those that share the engines.
class Worlds::Member final : public kv::Coordinator::Member {
 public:
  explicit Member(Worlds& worlds) : worlds_(worlds) {}

  kv::Result<void> changed(const std::optional<std::set<std::uint64_t>>& engines) override {
    return worlds_.follow(engines);
  }

  void appended() override {
    for (const auto& world : worlds_.all_worlds()) world->lanes().appended();
  }

  void begin_work() override {
    const std::lock_guard changes(worlds_.changes_);
    worlds_.works_here_ = true;
    for (const auto& world : worlds_.all_worlds()) world->begin_work();
  }

  void find_work(std::uint64_t engine) override {
    for (const auto& world : worlds_.all_worlds()) {
      if (worlds_.options_.engines->number_of(world->engine()) == engine) world->find_work();
    }
  }

  void end_work() override {
    const std::lock_guard changes(worlds_.changes_);
    worlds_.works_here_ = false;
    for (const auto& world : worlds_.all_worlds()) world->end_work();
  }

 private:
  Worlds& worlds_;
};

Worlds::Worlds(WorldsOptions options, const base::Clock& clock, base::Ids& ids)
    : options_(std::move(options)),
      clock_(clock),
      ids_(ids),
      works_here_(!shares_engines()),
      default_(options_.default_engine
                   ? make(options_.default_engine, store::read_clock(*options_.default_engine).value(),
                          read_regions(*options_.default_engine).value())
                   : make_empty().value()),
      dropped_(std::make_unique<DroppedNames>(options_.remembered_forks)),
      jobs_(clock, options_.run_jobs ? &runner_ : nullptr) {}

Worlds::~Worlds() {
  if (member_) options_.engines->coordinator()->leave();
  runner_.stop();
}

void Worlds::request_stop() {
  runner_.request_stop();
  for (const ListedWorld& one : list()) one.world->lanes().request_stop();
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
  DINETTE_CHECK(worlds->join());
  return worlds;
}

kv::Result<void> Worlds::join() {
  if (!shares_engines()) return {};
  member_ = std::make_unique<Member>(*this);
  return options_.engines->coordinator()->join(*member_);
}

kv::Result<void> Worlds::announce() {
  return member_ ? options_.engines->coordinator()->announce(0) : kv::Result<void>();
}

WorldPeers Worlds::peers_of(const kv::Engine& engine) {
  if (!shares_engines()) return {};
  kv::Coordinator* const coordinator = options_.engines->coordinator();
  const std::uint64_t number = options_.engines->number_of(engine);
  return {.work_is_here = works_here_,
          .leave_work = [coordinator, number] { coordinator->leave_work(number); },
          .take_work = [coordinator] { return coordinator->take_work(); },
          .announce = [coordinator, number] { return coordinator->announce(number); },
          .servers = [coordinator] { return coordinator->servers(); }};
}

std::vector<std::shared_ptr<World>> Worlds::all_worlds() const {
  std::vector<std::shared_ptr<World>> all;
  for (ListedWorld& one : list()) all.push_back(std::move(one.world));
  return all;
}

/// Takes over what other servers have done to worlds.
kv::Result<void> Worlds::follow(const std::optional<std::set<std::uint64_t>>& engines) {
  Taken forgotten;
  const std::lock_guard changes(changes_);
  DINETTE_TRY(const std::vector<kv::Engines::Kept> kept, list_kept(*options_.engines));
  for (const kv::Engines::Kept& one : kept)
    DINETTE_CHECK(follow(one, !engines || engines->contains(one.number)));
  take_forgotten(kept, forgotten);
  std::vector<std::shared_ptr<World>> retired;
  for (auto& [name, world] : forgotten) retired.push_back(std::move(world));
  retire(std::move(retired));
  return {};
}

/// To be called with changes_ held.
kv::Result<void> Worlds::follow(const kv::Engines::Kept& kept, bool has_changed) {
  if (is_image(kept)) return {};
  const std::shared_ptr<World> known = find(kept.name);
  if (known && options_.engines->number_of(known->engine()) == kept.number)
    return has_changed ? known->follow() : kv::Result<void>();
  if (!known) return open_kept(kept);
  DINETTE_TRY(auto opened, open_engine(*options_.engines, kept.name));
  std::shared_ptr<World> world = make(std::move(opened.engine), opened.clock, std::move(opened.regions));
  if (kept.name.empty()) {
    retire({default_.exchange(std::move(world))});
    return {};
  }
  {
    const std::unique_lock guard(mutex_);
    named_.find(kept.name)->second.world.swap(world);
  }
  retire({std::move(world)});
  return {};
}

/// To be called with changes_ held.
void Worlds::take_forgotten(const std::vector<kv::Engines::Kept>& kept, Taken& taken) {
  const std::unique_lock guard(mutex_);
  for (auto following = named_.begin(); following != named_.end();) {
    const auto one = following++;
    if (std::ranges::find(kept, one->first, &kv::Engines::Kept::name) == kept.end()) take(one, taken);
  }
}

base::Jobs::Next Worlds::look_after_engines() {
  const base::BackgroundScope every_server_does_this(false);
  options_.engines->look_after();
  if (member_) keep_uses();
  return clock_.now() + look_interval;
}

kv::Result<void> Worlds::open_kept(const kv::Engines::Kept& kept) {
  if (kept.name.empty() || is_image(kept)) return {};
  DINETTE_TRY(auto opened, open_engine(*options_.engines, kept.name));
  auto world = make(std::move(opened.engine), opened.clock, std::move(opened.regions));
  if (shares_engines()) DINETTE_CHECK(world->follow());
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

std::shared_ptr<World> Worlds::make(std::shared_ptr<kv::Engine> engine, const base::ClockSetting& clock,
                                    RegionSetting regions) {
  WorldPeers peers = peers_of(*engine);
  return std::make_shared<World>(std::move(engine), clock_, ids_, options_.faces, options_.store,
                                 options_.run_jobs ? &runner_ : nullptr, clock, std::move(peers),
                                 std::move(regions));
}

kv::Result<std::shared_ptr<World>> Worlds::make_empty() {
  DINETTE_TRY(auto engine, options_.engines->make());
  DINETTE_CHECK(store::check_format(*engine));
  return make(std::move(engine));
}

kv::Result<std::shared_ptr<World>> Worlds::make_from(const WorldImage& image) {
  DINETTE_TRY(std::shared_ptr<kv::Engine> engine, image.data->fork());
  DINETTE_CHECK(store::keep_clock(*engine, image.clock));
  if (engine->capabilities().shared) DINETTE_CHECK(keep_faults(*engine, {}));
  DINETTE_CHECK(keep_regions(*engine, {}));
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
  DINETTE_TRY(const auto added, make_named(name));
  DINETTE_CHECK(announce());
  return added;
}

kv::Result<std::shared_ptr<World>> Worlds::make_named(std::string_view name) {
  const std::lock_guard changes(changes_);
  if (auto world = find(name)) return world;
  DINETTE_TRY(auto world, make_empty());
  DINETTE_TRY(const bool is_first, options_.engines->keep_new(name, "", world->engine()));
  if (!is_first) {
    DINETTE_CHECK(open_kept({std::string(name), ""}));
    return find(name);
  }
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
  DINETTE_TRY(const auto added, make_fork(name, image, ttl));
  if (added) DINETTE_CHECK(announce());
  return added;
}

kv::Result<std::shared_ptr<World>> Worlds::make_fork(std::string_view name, const WorldImage& image,
                                                     std::optional<std::chrono::seconds> ttl) {
  const std::lock_guard changes(changes_);
  if (find(name)) return std::shared_ptr<World>();
  DINETTE_TRY(auto world, make_from(image));
  DINETTE_TRY(const bool is_first, options_.engines->keep_new(name, fork_note(ttl), world->engine()));
  if (!is_first) return std::shared_ptr<World>();
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

// Where several servers share the engines, each keeps in a fork when it was last used there, so that the one
// that does the background work knows.

std::chrono::microseconds Worlds::time_to_hear_of_uses() const {
  return member_ ? std::chrono::microseconds(2 * look_interval) : std::chrono::microseconds(0);
}

void Worlds::keep_uses() {
  const std::lock_guard changes(changes_);
  for (auto& [name, named] : named_) {
    const base::TimePoint used = named.last_used.load();
    if (!named.ttl || used <= named.kept_use) continue;
    const auto microseconds = static_cast<std::uint64_t>(used.time_since_epoch().count());
    const auto kept = store::change_setting(named.world->engine(), last_use, [&](std::string_view others) {
      const std::uint64_t known = base::RecordReader(others).number<std::uint64_t>();
      base::RecordWriter writer;
      writer.add(std::max(known, microseconds));
      return std::move(writer).take();
    });
    if (kept) named.kept_use = used;
  }
}

void Worlds::read_uses() {
  for (auto& [name, named] : named_) {
    if (!named.ttl || named.last_used.load() + *named.ttl > clock_.now()) continue;
    const auto kept = store::read_setting(named.world->engine(), last_use);
    if (!kept) {
      named.last_used = clock_.now();  // it is looked at again
    } else if (*kept) {
      const auto used = base::RecordReader((*kept)->view()).number<std::uint64_t>();
      const base::TimePoint moment{std::chrono::microseconds(used)};
      named.last_used = std::max(named.last_used.load(), moment);
    }
  }
}

/// Returns when the next world may be unused for its time, if no call finds it until then.
base::Jobs::Next Worlds::drop_unused() {
  Taken dropped;
  base::Jobs::Next next;
  {
    const std::lock_guard changes(changes_);
    if (!works_here_) return clock_.now() + look_interval;
    if (member_) read_uses();
    next = take_unused(dropped);
    if (dropped.empty()) return next;
    if (const auto forgotten = forget(std::move(dropped)); !forgotten) {
      base::log(base::LogLevel::error, "an unused world cannot be dropped for good",
                {{"reason", forgotten.error().message}});
    }
  }
  if (const auto announced = announce(); !announced) {
    base::log(base::LogLevel::warn, "other servers may still find a world that was dropped",
              {{"reason", announced.error().message}});
  }
  return next;
}

base::Jobs::Next Worlds::take_unused(Taken& dropped) {
  base::Jobs::Next next;
  const std::unique_lock guard(mutex_);
  const base::TimePoint now = clock_.now();
  for (auto following = named_.begin(); following != named_.end();) {
    const auto one = following++;
    if (!one->second.ttl) continue;
    const base::TimePoint end = one->second.last_used.load() + *one->second.ttl + time_to_hear_of_uses();
    if (end <= now) {
      take(one, dropped);
    } else {
      next = next ? std::min(*next, end) : end;
    }
  }
  return next;
}

void Worlds::retire(std::vector<std::shared_ptr<World>> worlds) {
  for (const auto& world : worlds) {
    world->faults().replace({});  // no delay holds up its last request
    world->lanes().request_stop();
  }
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
    return world.use_count() > 1 || world->jobs().is_running() || world->lanes().is_running();
  };
  const auto rest = std::partition(retired_.begin(), retired_.end(), in_use);
  std::move(rest, retired_.end(), std::back_inserter(unused));
  retired_.erase(rest, retired_.end());
  return retired_.empty() ? base::Jobs::done : clock_.now() + retired_interval;
}

/// Replaces the world of that name by `world`.
kv::Result<void> Worlds::put(std::string_view name, std::shared_ptr<World> world) {
  DINETTE_CHECK(put_here(name, std::move(world)));
  return announce();
}

kv::Result<void> Worlds::put_here(std::string_view name, std::shared_ptr<World> world) {
  const std::lock_guard changes(changes_);
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
  DINETTE_TRY(auto world, make_from(image));
  return put(name, std::move(world));
}

kv::Result<void> Worlds::fork(std::string_view from, std::string_view to) {
  DINETTE_TRY(const auto origin, pick(from));
  DINETTE_TRY(const WorldImage image, origin->image());
  return restore(to, image);
}

kv::Result<void> Worlds::reset(std::string_view name) {
  DINETTE_TRY(auto world, make_empty());
  return put(name, std::move(world));
}

kv::Result<void> Worlds::reset_all() {
  DINETTE_CHECK(reset(""));
  {
    const std::lock_guard changes(changes_);
    Taken dropped;
    {
      const std::unique_lock guard(mutex_);
      dropped_->clear();
      update_has_dropped();
      while (!named_.empty()) take(named_.begin(), dropped);
    }
    DINETTE_CHECK(forget(std::move(dropped)));
  }
  return announce();
}

kv::Result<bool> Worlds::drop(std::string_view name) {
  if (name.empty()) {
    DINETTE_CHECK(reset(name));
    return true;
  }
  {
    const std::lock_guard changes(changes_);
    Taken dropped;
    {
      const std::unique_lock guard(mutex_);
      const auto found = named_.find(name);
      if (found == named_.end()) return false;
      take(found, dropped);
    }
    DINETTE_CHECK(forget(std::move(dropped)));
  }
  DINETTE_CHECK(announce());
  return true;
}

kv::Result<std::uint64_t> Worlds::keep_image(std::string_view note, const WorldImage& image) {
  const std::uint64_t number = options_.engines->number_of(*image.data);
  const std::string kept_note = std::string(image_word).append(note);
  DINETTE_CHECK(options_.engines->keep_new(image_name(number), kept_note, *image.data));
  return number;
}

kv::Result<std::vector<KeptImage>> Worlds::kept_images() const {
  DINETTE_TRY(const auto kept, list_kept(*options_.engines));
  std::vector<KeptImage> images;
  for (const kv::Engines::Kept& one : kept) {
    if (is_image(one)) images.push_back({one.number, one.note.substr(image_word.size())});
  }
  std::ranges::sort(images, {}, &KeptImage::number);
  return images;
}

kv::Result<std::optional<WorldImage>> Worlds::kept_image(std::uint64_t number) const {
  DINETTE_TRY(const auto images, kept_images());
  if (std::ranges::find(images, number, &KeptImage::number) == images.end())
    return std::optional<WorldImage>();
  DINETTE_TRY(auto opened, open_engine(*options_.engines, image_name(number)));
  return std::optional(WorldImage{std::move(opened.engine), opened.clock});
}

kv::Result<bool> Worlds::forget_image(std::uint64_t number) {
  DINETTE_TRY(const auto images, kept_images());
  if (std::ranges::find(images, number, &KeptImage::number) == images.end()) return false;
  DINETTE_CHECK(options_.engines->forget(image_name(number)));
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
