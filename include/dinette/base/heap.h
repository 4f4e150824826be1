#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace dinette::base {

/// Gives the free pages of the heap back to the system, also those between live blocks, which glibc would
/// keep. Takes some milliseconds per hundred megabytes of heap.
inline void trim_heap() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace dinette::base
