#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/coordinator.h"
#include "dinette/kv/engine.h"

namespace dinette::kv {

/// The memory of all engines of this process.
struct EngineFigures {
  /// Of engines on a disk; shared by all.
  struct Durable {
    std::size_t memory_limit = 0;     ///< bytes, of values and trees in memory; beyond, the disk answers
    std::size_t cache_bytes = 0;      ///< of blocks
    std::size_t cache_limit = 0;      ///< bytes
    std::size_t unflushed_bytes = 0;  ///< that are only in memory and in the log
  };

  std::size_t values = 0;       ///< in memory, with those that only snapshots still have
  std::size_t value_bytes = 0;  ///< of these
  std::size_t nodes = 0;        ///< of trees in memory
  std::optional<Durable> durable = {};
};

/// The engines of a server, some of which are kept and found again at its next start.
/// Thread-safe.
class Engines {
 public:
  struct Kept {
    std::string name;
    std::string note;          ///< the argument of keep()
    std::uint64_t number = 0;  ///< see number_of()
  };

  Engines() = default;
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;
  virtual ~Engines() = default;

  /// Returns the capabilities of its engines.
  virtual Capabilities capabilities() const = 0;
  /// Returns an empty engine. Unless it is kept, its data are lost when it is destroyed.
  virtual Result<std::shared_ptr<Engine>> make() = 0;
  /// Returns the engines that are kept, in ascending order of their names; none if they are not durable.
  virtual std::vector<Kept> kept() const = 0;
  /// Opens the kept engine of that name. Only one at a time is open.
  virtual Result<std::shared_ptr<Engine>> open(std::string_view name) = 0;
  /// Keeps `engine`, which make() returned or which is a fork of such an engine, under `name`, and replaces
  /// the one that was kept under it. On failure that one stays. Does nothing if the engines are not durable.
  virtual Result<void> keep(std::string_view name, std::string_view note, const Engine& engine) = 0;
  /// The same, unless an engine is kept under that name by now, by another server: then returns false.
  virtual Result<bool> keep_new(std::string_view name, std::string_view note, const Engine& engine);
  /// Stops keeping the engine of that name.
  virtual Result<void> forget(std::string_view name) = 0;

  /// Looks whether the data are still where they are kept, and logs it if they are not. Accesses the disk
  /// once; for a job.
  virtual void look_after() {}
  /// Returns what look_after() has found wrong, or why an engine can no longer be written, as a sentence for
  /// the user; nothing if all is well.
  virtual std::optional<std::string> trouble() const { return std::nullopt; }

  virtual EngineFigures figures() const;

  /// Returns how the servers that share these engines agree; null if no other server uses them.
  virtual Coordinator* coordinator() { return nullptr; }
  /// Returns what tells a shared engine from all others, whatever their names; 0 if it is not shared.
  virtual std::uint64_t number_of(const Engine& engine) const;
};

/// Returns engines in memory (memory.h). Forks of one engine, they share the thread that frees memory.
std::shared_ptr<Engines> make_memory_engines();

}  // namespace dinette::kv
