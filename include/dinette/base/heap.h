#pragma once

#include <cstddef>

namespace dinette::base {

/// Returns free heap pages to the system, including those between live blocks, which glibc would keep. Takes
/// a few milliseconds per hundred megabytes of heap.
void trim_heap();

/// Tells that this thread allocates `bytes`, which will stay for a while. Once in 128 KB the thread's heap is
/// made ready for as many more: glibc asks the system for page after page, except on the main thread, and
/// each page interrupts the thread when it is first written. Does nothing if there is no memory.
void expect_heap_growth(std::size_t bytes) noexcept;

}  // namespace dinette::base
