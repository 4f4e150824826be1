#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// What engines hold, over all of this process.
struct EngineFigures {
  /// Of engines on a disk; shared by all.
  struct Durable {
    std::size_t memory_limit = 0;     ///< bytes, of values and trees in memory; beyond, the disk answers
    std::size_t cache_bytes = 0;      ///< of blocks
    std::size_t cache_limit = 0;      ///< bytes
    std::size_t unflushed_bytes = 0;  ///< that are in memory and in the log alone
  };

  std::size_t values = 0;       ///< in memory, with those that only snapshots still have
  std::size_t value_bytes = 0;  ///< of these
  std::size_t nodes = 0;        ///< of trees in memory
  std::optional<Durable> durable = {};
};

/// Where a server gets its engines from, and which of them are found again when it starts the next time.
/// Thread-safe.
class Engines {
 public:
  struct Kept {
    std::string name;
    std::string note;  ///< what keep() was given
  };

  Engines() = default;
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;
  virtual ~Engines() = default;

  /// What its engines can do.
  virtual Capabilities capabilities() const = 0;
  /// Returns an empty engine. Unless it is kept, its data end with it.
  virtual Result<std::shared_ptr<Engine>> make() = 0;
  /// Returns the engines that are kept, in ascending order of their names; none if they are not durable.
  virtual std::vector<Kept> kept() const = 0;
  /// Opens the kept engine of that name. Only one at a time is open.
  virtual Result<std::shared_ptr<Engine>> open(std::string_view name) = 0;
  /// Keeps `engine`, which make() returned or which is a fork of such a one, under `name`, in place of the
  /// one that was kept under it. On failure that one stays. Does nothing if the engines are not durable.
  virtual Result<void> keep(std::string_view name, std::string_view note, const Engine& engine) = 0;
  /// Keeps the engine of that name no longer.
  virtual Result<void> forget(std::string_view name) = 0;

  virtual EngineFigures figures() const;
};

/// Returns engines in memory (memory.h). Forks of one engine, they share the thread that frees memory.
std::shared_ptr<Engines> make_memory_engines();

}  // namespace dinette::kv
