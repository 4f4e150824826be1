#pragma once

#include <cstddef>

namespace dinette::base {

/// Returns free heap pages to the system, including those between live blocks, which glibc would keep. Takes
/// a few milliseconds per hundred megabytes of heap.
void trim_heap();

/// Announces that this thread allocates `bytes`, which will stay for a while. After every 128 KB the thread's
/// heap is prepared for as many more: except on the main thread, glibc asks the system for one page at a
/// time, and the first write to each page is a page fault. Does nothing if there is no memory.
void expect_heap_growth(std::size_t bytes) noexcept;

}  // namespace dinette::base
