#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace dinette::base {

/// Returns free heap pages to the system, including those between live blocks, which glibc would keep. Takes
/// a few milliseconds per hundred megabytes of heap.
inline void trim_heap() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace dinette::base
