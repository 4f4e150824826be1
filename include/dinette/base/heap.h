#pragma once

#include <cstddef>

namespace dinette::base {

/// Returns free heap pages to the system, including those between live blocks, which glibc would keep. Takes
/// a few milliseconds per hundred megabytes of heap.
void trim_heap();

/// Must be called for each block that this thread allocates for longer than a request. If the block is
/// beyond the part of the thread's heap that is prepared, the next 128 KB are prepared: except on the main
/// thread, glibc asks the system for one page at a time, and the first write to each page is a page fault.
/// Does nothing for blocks in place of freed ones, or if there is no memory.
void expect_heap_growth(const void* block, std::size_t size) noexcept;

}  // namespace dinette::base
