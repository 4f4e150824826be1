#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <malloc.h>

#include "support/failing_new.h"

// As failing_new.cc, for everything that is allocated, in libraries as well: operator new asks malloc.

namespace dinette::test {

thread_local int failing_allocation = 0;
thread_local std::size_t allocated_bytes = 0;
thread_local std::ptrdiff_t held_bytes = 0;
thread_local std::ptrdiff_t most_held_bytes = 0;

namespace {

bool fails(std::size_t size) {
  allocated_bytes += size;
  return failing_allocation > 0 && --failing_allocation == 0;
}

void release(void* memory) {
  held_bytes -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
}

void* held(void* memory) {
  held_bytes += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  most_held_bytes = std::max(most_held_bytes, held_bytes);
  return memory;
}

}  // namespace
}  // namespace dinette::test

extern "C" {

// glibc's own names of what these replace.
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
void __libc_free(void* memory);                                  // NOLINT

void* malloc(std::size_t size) noexcept {
  return dinette::test::fails(size) ? nullptr : dinette::test::held(__libc_malloc(size));
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  return dinette::test::fails(count * size) ? nullptr : dinette::test::held(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) noexcept {
  if (dinette::test::fails(size)) return nullptr;
  dinette::test::release(memory);
  return dinette::test::held(__libc_realloc(memory, size));
}
void free(void* memory) noexcept {
  dinette::test::release(memory);
  __libc_free(memory);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return dinette::test::fails(size) ? nullptr : dinette::test::held(__libc_memalign(alignment, size));
}

}  // extern "C"
