#pragma once

#include <cstddef>

namespace dinette::kv {

/// The most memory that a thread keeps of blocks that it has freed, in bytes.
inline constexpr std::size_t most_spare_bytes = 64 << 10;

/// Returns memory for a value. glibc has no cache per thread for blocks over 1 KB, which most items take. So
/// a thread keeps some of those that it has freed, up to 4 KB each, and returns them here. Throws
/// std::bad_alloc.
void* allocate_block(std::size_t size);

/// Frees a block of allocate_block(`size`), from any thread.
void free_block(void* block, std::size_t size) noexcept;

/// Returns how much this thread keeps: for tests. Always 0 with sanitizers, which are to see every block
/// freed.
std::size_t spare_bytes() noexcept;

}  // namespace dinette::kv
