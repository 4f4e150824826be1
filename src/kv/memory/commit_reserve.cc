#include "kv/memory/commit_reserve.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace dinette::kv::memory {
namespace {

// Until it is touched, this is address space and no more. When malloc has to get memory from mmap, it takes
// no less than one block.
constexpr std::size_t block_bytes = 1024 * 1024;
std::array<std::atomic<void*>, 4> blocks{};
std::atomic<bool> full{false};

thread_local bool committing = false;
std::new_handler handler_before = nullptr;

/// Returns a block to the system, for malloc to find. Returns false if there is none left.
bool give_up_block() {
  full = false;
  for (std::atomic<void*>& block : blocks) {
    if (void* const memory = block.exchange(nullptr)) {
      munmap(memory, block_bytes);
      return true;
    }
  }
  return false;
}

/// Called by operator new when malloc fails. If it returns, operator new tries again.
void on_exhausted_memory() {
  if (committing && give_up_block()) return;
  if (handler_before == nullptr) throw std::bad_alloc();
  handler_before();
}

/// Refills the reserve, as far as there is memory. Returns false if the reserve is empty afterwards.
bool fill() {
  [[maybe_unused]] static const bool installed = [] {
    handler_before = std::set_new_handler(on_exhausted_memory);
    return true;
  }();
  full = true;
  bool any = false;
  for (std::atomic<void*>& block : blocks) {
    if (block != nullptr) {
      any = true;
      continue;
    }
    void* const memory = mmap(nullptr, block_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      full = false;
      continue;
    }
    any = true;
    void* none = nullptr;
    if (!block.compare_exchange_strong(none, memory)) munmap(memory, block_bytes);
  }
  return any;
}

bool puts_something(const WriteBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (*batch[i].value) return true;
  }
  return false;
}

}  // namespace

CommitReserve::CommitReserve(const WriteBatch& batch) {
  if (!full.load(std::memory_order_relaxed) && !fill() && puts_something(batch)) throw std::bad_alloc();
  committing = true;
}

CommitReserve::~CommitReserve() {
  committing = false;
}

}  // namespace dinette::kv::memory
