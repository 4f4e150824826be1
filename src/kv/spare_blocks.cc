#include "kv/spare_blocks.h"

#include <array>
#include <new>

#include "dinette/base/heap.h"
#include "dinette/base/per_thread.h"

namespace dinette::kv {
namespace {

#if defined(DINETTE_SANITIZED)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

constexpr std::size_t least = 1024;
constexpr std::size_t most = 4096;
constexpr std::size_t step = 64;

struct Block {
  Block* next;
};

// Trivial, and so still there when later destructors of a thread free values.
struct SpareBlocks {
  std::array<Block*, (most - least) / step> first;  ///< of each size, from `least + step`
  std::size_t bytes;
  bool in_use;
};
thread_local SpareBlocks spares;

bool is_kept(std::size_t size) {
  return keeps_blocks && size > least && size <= most;
}

std::size_t index_of(std::size_t size) {
  return (size - least - 1) / step;
}

std::size_t size_at(std::size_t index) {
  return least + (index + 1) * step;
}

Block* take_spare(std::size_t index) {
  Block* const block = spares.first[index];
  if (block == nullptr) return nullptr;
  spares.first[index] = block->next;
  spares.bytes -= size_at(index);
  return block;
}

struct FreedWithThread {
  FreedWithThread() { spares.in_use = true; }
  ~FreedWithThread() {
    spares.in_use = false;
    for (std::size_t index = 0; index < spares.first.size(); ++index) {
      while (Block* const block = take_spare(index)) ::operator delete(block);
    }
  }
};

void* allocate_new(std::size_t size) {
  void* const block = ::operator new(size);
  base::expect_heap_growth(block, size);
  return block;
}

}  // namespace

void* allocate_block(std::size_t size) {
  if (!is_kept(size)) return allocate_new(size);
  const std::size_t index = index_of(size);
  if (Block* const spare = take_spare(index)) return spare;
  base::per_thread<FreedWithThread>();
  return allocate_new(size_at(index));
}

void free_block(void* block, std::size_t size) noexcept {
  if (!spares.in_use || !is_kept(size) || spares.bytes + size_at(index_of(size)) > most_spare_bytes) {
    ::operator delete(block);
    return;
  }
  const std::size_t index = index_of(size);
  spares.first[index] = ::new (block) Block{spares.first[index]};
  spares.bytes += size_at(index);
}

std::size_t spare_bytes() noexcept {
  return spares.bytes;
}

}  // namespace dinette::kv
