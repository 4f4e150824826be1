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

// A freed block stays at the end of the heap, where the next ones are taken from.
void make_ready() noexcept {
  void* volatile block = std::malloc(step);  // volatile: compilers leave out a block that is not used
  if (block == nullptr) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first_page = (begin + page - 1) / page * page;
  // Kernels before 5.14 refuse, and give each page when it is written.
  madvise(reinterpret_cast<void*>(first_page), begin + step - first_page - page, MADV_POPULATE_WRITE);
  std::free(block);
}

}  // namespace

void trim_heap() {
  malloc_trim(0);
}

void expect_heap_growth(std::size_t bytes) noexcept {
  thread_local std::size_t since_ready = 0;
  since_ready += bytes;
  if (since_ready < step) return;
  since_ready = 0;
  make_ready();
}

#else

void trim_heap() {}
void expect_heap_growth(std::size_t) noexcept {}

#endif

}  // namespace dinette::base
