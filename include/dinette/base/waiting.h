#pragma once

#include "dinette/base/scoped_value.h"

namespace dinette::base {

namespace detail {
inline thread_local bool may_wait = true;
}

/// Returns false while this thread must not block because it serves many clients in turn. Code that would
/// have to wait for another thread, for longer than a commit takes, then fails instead.
inline bool may_wait() {
  return detail::may_wait;
}

/// Sets for its lifetime whether this thread may wait.
class WaitingScope : ScopedValue<bool> {
 public:
  explicit WaitingScope(bool may_wait) : ScopedValue(detail::may_wait, may_wait) {}
};

}  // namespace dinette::base
