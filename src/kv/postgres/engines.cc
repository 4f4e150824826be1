#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/kv/postgres.h"

#include "kv/postgres/coordinator.h"
#include "kv/postgres/start.h"
#include "kv/postgres/worlds.h"

namespace dinette::kv {
namespace postgres {
namespace {

class PostgresEngines final : public Engines {
 public:
  explicit PostgresEngines(std::shared_ptr<Pool> pool)
      : pool_(std::move(pool)), worlds_(std::make_shared<Worlds>(pool_)), coordinator_(pool_) {}

  Capabilities capabilities() const override {
    return {.may_block = true, .forks = true, .durable = true, .shared = true};
  }

  Result<std::shared_ptr<Engine>> make() override {
    DINETTE_TRY(auto world, worlds_->make());
    return engine_of(std::move(world));
  }

  std::vector<Kept> kept() const override {
    std::vector<Kept> names;
    auto worlds = worlds_->kept();
    if (!worlds) {
      base::log(base::LogLevel::error, "the worlds of the database cannot be listed",
                {{"reason", worlds.error().message}});
      return names;
    }
    for (Worlds::Kept& world : *worlds) names.push_back(std::move(world.name));
    return names;
  }

  Result<std::shared_ptr<Engine>> open(std::string_view name) override {
    DINETTE_TRY(const auto worlds, worlds_->kept());
    const auto found =
        std::ranges::find_if(worlds, [name](const Worlds::Kept& world) { return world.name.name == name; });
    if (found == worlds.end())
      return base::Failure{Error{ErrorKind::unsupported, "there is no world '" + std::string(name) + "'"}};
    return engine_of(worlds_->use(found->number));
  }

  Result<void> keep(std::string_view name, std::string_view note, const Engine& engine) override {
    return worlds_->keep(name, note, dynamic_cast<const WorldEngine&>(engine).world()->number());
  }
  Result<bool> keep_new(std::string_view name, std::string_view note, const Engine& engine) override {
    return worlds_->keep_new(name, note, dynamic_cast<const WorldEngine&>(engine).world()->number());
  }
  Result<void> forget(std::string_view name) override { return worlds_->forget(name); }

  void look_after() override {
    if (const auto tidied = worlds_->tidy(); !tidied)
      base::log(base::LogLevel::warn, "old worlds cannot be removed", {{"reason", tidied.error().message}});
  }
  std::optional<std::string> trouble() const override { return pool_->trouble(); }

  Coordinator* coordinator() override { return pool_->is_read_only() ? nullptr : &coordinator_; }
  std::uint64_t number_of(const Engine& engine) const override {
    return static_cast<std::uint64_t>(dynamic_cast<const WorldEngine&>(engine).world()->number());
  }

 private:
  std::shared_ptr<Engine> engine_of(std::shared_ptr<const WorldNumber> world) const {
    return make_engine(pool_, std::move(world), worlds_);
  }

  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Worlds> worlds_;
  PostgresCoordinator coordinator_;
};

}  // namespace
}  // namespace postgres

Result<std::shared_ptr<Engines>> open_postgres(const std::string& url, const PostgresOptions& options) {
  DINETTE_TRY(auto pool, postgres::start({url, options.connections, options.patience, options.read_only}));
  return std::shared_ptr<Engines>(std::make_shared<postgres::PostgresEngines>(std::move(pool)));
}

}  // namespace dinette::kv
