#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dinette/base/crc32.h"

// RocksDB as distributions build it, for every processor of an architecture, computes its checksums with
// tables: a tenth of what a batch of writes costs. The linker gives RocksDB this function instead of its own
// (src/kv/CMakeLists.txt), which chooses by the processor.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's name for it
extern "C" std::uint32_t __wrap__ZN7rocksdb6crc32c6ExtendEjPKcm(std::uint32_t before, const char* bytes,
                                                                std::size_t size) {
  return dinette::base::crc32c({bytes, size}, before);
}
