#include "support/failing_new.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace dinette::test {

thread_local int failing_allocation = 0;
thread_local std::size_t allocated_bytes = 0;
thread_local std::ptrdiff_t held_bytes = 0;
thread_local std::ptrdiff_t most_held_bytes = 0;

namespace {

void* allocate(std::size_t size) {
  allocated_bytes += size;
  if (failing_allocation > 0 && --failing_allocation == 0) return nullptr;
  void* const memory = std::malloc(size);
  held_bytes += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  most_held_bytes = std::max(most_held_bytes, held_bytes);
  return memory;
}

void release(void* memory) {
  held_bytes -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace
}  // namespace dinette::test

void* operator new(std::size_t size) {
  for (;;) {
    if (void* const memory = dinette::test::allocate(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* memory) noexcept {
  dinette::test::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  dinette::test::release(memory);
}
