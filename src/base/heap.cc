#include "dinette/base/heap.h"

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace dinette::base {

#if defined(__GLIBC__)

namespace {

constexpr std::size_t step = 128 << 10;
constexpr std::size_t page = 4096;
constexpr std::uintptr_t heap_size = 64 << 20;  // glibc's, of which a thread may have several

// Returns the end of what is prepared. A freed block stays at the end of the heap, where the next ones are
// taken from.
std::uintptr_t prepare(std::uintptr_t prepared_end) noexcept {
  void* volatile block = std::malloc(step);  // volatile: compilers leave out a block that is not used
  if (block == nullptr) return prepared_end;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t end = begin + step;
  const std::uintptr_t first_page = (begin + page - 1) / page * page;
  // Kernels before 5.14 refuse, and give each page when it is written.
  if (end != prepared_end)
    madvise(reinterpret_cast<void*>(first_page), end - first_page - page, MADV_POPULATE_WRITE);
  std::free(block);
  return end;
}

}  // namespace

void trim_heap() {
  malloc_trim(0);
}

void expect_heap_growth(const void* block, std::size_t size) noexcept {
  thread_local std::uintptr_t prepared_end = 0;
  thread_local std::size_t since_prepared = 0;
  since_prepared += size;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(block) + size;
  const bool is_prepared = end <= prepared_end && prepared_end - end < heap_size;
  if (is_prepared || since_prepared < step / 4 * 3) return;
  since_prepared = 0;
  prepared_end = prepare(prepared_end);
}

#else

void trim_heap() {}
void expect_heap_growth(const void*, std::size_t) noexcept {}

#endif

}  // namespace dinette::base
