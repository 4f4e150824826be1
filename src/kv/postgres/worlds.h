#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "dinette/kv/engines.h"

#include "kv/postgres/calls.h"
#include "kv/postgres/engine.h"

namespace dinette::kv::postgres {

/// The worlds in a database: name spaces of its rows, known by numbers that are never used twice. A name may
/// refer to one; what no name refers to is erased when nothing here uses it any more. Thread-safe.
class Worlds final : public NewWorlds, public std::enable_shared_from_this<Worlds> {
 public:
  struct Kept {
    Engines::Kept name;
    std::int64_t number = 0;
  };

  explicit Worlds(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}

  Result<std::shared_ptr<const WorldNumber>> make() override;
  Result<std::vector<Kept>> kept() const;
  /// Returns the world of that number, which a name has.
  std::shared_ptr<const WorldNumber> use(std::int64_t number);
  Result<void> keep(std::string_view name, std::string_view note, std::int64_t number);
  /// The same, unless the name is taken: then returns false.
  Result<bool> keep_new(std::string_view name, std::string_view note, std::int64_t number);
  Result<void> forget(std::string_view name);

  /// Erases some of what is no longer used. In steps, so that it disturbs others little.
  Result<void> tidy();

 private:
  Result<std::vector<Rows>> execute(const std::vector<Call>& calls) const;
  bool is_used(std::int64_t number);
  Result<void> erase(std::int64_t number);

  const std::shared_ptr<Pool> pool_;
  std::mutex mutex_;
  std::map<std::int64_t, std::weak_ptr<const WorldNumber>> used_;  ///< guarded by mutex_
};

}  // namespace dinette::kv::postgres
