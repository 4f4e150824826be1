#pragma once

#include <cstdint>
#include <memory>

#include "dinette/kv/engine.h"

#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// What keeps a world's number: when the last holder is gone and the world is not kept, its rows may go.
class WorldNumber {
 public:
  virtual ~WorldNumber() = default;

  virtual std::int64_t number() const = 0;
};

/// Makes the number of a new, empty world.
class NewWorlds {
 public:
  virtual ~NewWorlds() = default;

  virtual Result<std::shared_ptr<const WorldNumber>> make() = 0;
};

/// An engine of this folder.
class WorldEngine : public Engine {
 public:
  virtual const std::shared_ptr<const WorldNumber>& world() const = 0;
};

/// Returns the engine over the rows of `world`. `new_worlds` makes the worlds of its forks.
std::unique_ptr<WorldEngine> make_engine(std::shared_ptr<Pool> pool, std::shared_ptr<const WorldNumber> world,
                                         std::shared_ptr<NewWorlds> new_worlds);

}  // namespace dinette::kv::postgres
