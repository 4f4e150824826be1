#include "support/failing_new.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace dinette::test {

thread_local int failing_allocation = 0;
thread_local std::size_t allocated_bytes = 0;

namespace {

void* allocate(std::size_t size) {
  allocated_bytes += size;
  return failing_allocation > 0 && --failing_allocation == 0 ? nullptr : std::malloc(size);
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
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
