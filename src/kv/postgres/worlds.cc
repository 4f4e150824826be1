#include "kv/postgres/worlds.h"

#include <string>
#include <utility>

namespace dinette::kv::postgres {
namespace {

constexpr std::int64_t rows_per_step = 5000;
constexpr int steps_per_tidying = 20;

class NumberOfWorld final : public WorldNumber {
 public:
  explicit NumberOfWorld(std::int64_t number) : number_(number) {}

  std::int64_t number() const override { return number_; }

 private:
  const std::int64_t number_;
};

Parameters of_number(std::int64_t number) {
  Parameters parameters;
  parameters.number(number);
  return parameters;
}

}  // namespace

Result<std::vector<Rows>> Worlds::execute(const std::vector<Call>& calls) const {
  return postgres::execute(*pool_, calls);
}

Result<std::shared_ptr<const WorldNumber>> Worlds::make() {
  if (pool_->is_read_only()) return base::Failure{only_read()};
  DINETTE_TRY(const auto rows, execute({{Statement::make_world, of_number(pool_->server())}}));
  return use(rows.front().int8(0, 0));
}

std::shared_ptr<const WorldNumber> Worlds::use(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  auto& slot = used_[number];
  auto world = slot.lock();
  if (!world) slot = world = std::make_shared<NumberOfWorld>(number);
  return world;
}

bool Worlds::is_used(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(number);
  if (found == used_.end()) return false;
  if (!found->second.expired()) return true;
  used_.erase(found);
  return false;
}

Result<std::vector<Worlds::Kept>> Worlds::kept() const {
  DINETTE_TRY(const auto rows, execute({{Statement::kept_worlds}}));
  std::vector<Kept> kept;
  const Rows& worlds = rows.front();
  for (int row = 0; row < worlds.size(); ++row) {
    const std::int64_t number = worlds.int8(row, 1);
    kept.push_back({{std::string(worlds.bytes(row, 0)), std::string(worlds.bytes(row, 2)),
                     static_cast<std::uint64_t>(number)},
                    number});
  }
  return kept;
}

Result<void> Worlds::keep(std::string_view name, std::string_view note, std::int64_t number) {
  if (pool_->is_read_only()) return base::Failure{only_read()};
  Parameters left;
  left.bytes(name).number(pool_->server());
  Parameters kept;
  kept.bytes(name).number(number).bytes(note);
  DINETTE_CHECK(execute({{Statement::leave_kept, std::move(left)},
                         {Statement::keep, std::move(kept)},
                         {Statement::take_back_kept}}));
  return {};
}

Result<bool> Worlds::keep_new(std::string_view name, std::string_view note, std::int64_t number) {
  if (pool_->is_read_only()) return base::Failure{only_read()};
  Parameters kept;
  kept.bytes(name).number(number).bytes(note);
  DINETTE_TRY(const auto rows, execute({{Statement::keep_new, std::move(kept)},
                                        {Statement::take_back_kept},
                                        {Statement::kept_worlds}}));
  const Rows& worlds = rows.back();
  for (int row = 0; row < worlds.size(); ++row) {
    if (worlds.bytes(row, 0) == name) return worlds.int8(row, 1) == number;
  }
  return false;
}

Result<void> Worlds::forget(std::string_view name) {
  if (pool_->is_read_only()) return base::Failure{only_read()};
  Parameters left;
  left.bytes(name).number(pool_->server());
  Parameters forgotten;
  forgotten.bytes(name);
  DINETTE_CHECK(execute({{Statement::leave_kept, std::move(left)},
                         {Statement::forget, std::move(forgotten)},
                         {Statement::take_back_kept}}));
  return {};
}

Result<void> Worlds::tidy() {
  if (pool_->is_read_only()) return {};
  const Parameters server = of_number(pool_->server());
  DINETTE_CHECK(execute({{Statement::use_left, server}}));
  DINETTE_TRY(const auto rows, execute({{Statement::left_worlds, server}}));
  const Rows& left = rows.front();
  for (int row = 0; row < left.size(); ++row) {
    if (const std::int64_t number = left.int8(row, 0); !is_used(number)) DINETTE_CHECK(erase(number));
  }
  return {};
}

Result<void> Worlds::erase(std::int64_t number) {
  for (int step = 0; step < steps_per_tidying; ++step) {
    Parameters some = of_number(number);
    some.number(rows_per_step);
    DINETTE_TRY(const auto erased, execute({{Statement::erase_some, std::move(some)}}));
    if (erased.front().size() > 0) continue;
    DINETTE_CHECK(execute({{Statement::erase_left, of_number(number)}}));
    return {};
  }
  return {};
}

}  // namespace dinette::kv::postgres
