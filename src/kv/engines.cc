#include "dinette/kv/engines.h"

#include <atomic>
#include <cstdint>

#include "kv/live_memory.h"

namespace dinette::kv {

EngineFigures Engines::figures() const {
  const auto read = [](const std::atomic<std::int64_t>& number) {
    return static_cast<std::size_t>(number.load(std::memory_order_relaxed));
  };
  return {.values = read(live_memory.buffers),
          .value_bytes = read(live_memory.bytes),
          .nodes = read(live_memory.nodes)};
}

Result<bool> Engines::keep_new(std::string_view name, std::string_view note, const Engine& engine) {
  DINETTE_CHECK(keep(name, note, engine));
  return true;
}

std::uint64_t Engines::number_of(const Engine&) const {
  return 0;
}

}  // namespace dinette::kv
