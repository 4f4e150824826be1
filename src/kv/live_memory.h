#pragma once

#include <atomic>
#include <cstdint>

namespace dinette::kv {

/// What is alive in this process, over all engines. Tests find leaks by it; the memory engine sees by it when
/// much has been freed.
struct alignas(64) LiveMemory {
  std::atomic<std::int64_t> buffers{0};  ///< Value buffers
  std::atomic<std::int64_t> bytes{0};    ///< in them
  std::atomic<std::int64_t> nodes{0};    ///< of trees of the memory engine
};
extern LiveMemory live_memory;

}  // namespace dinette::kv
