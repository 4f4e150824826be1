#pragma once

#include "dinette/base/scoped_value.h"

namespace dinette::base {

namespace detail {
inline thread_local bool in_background = false;
}

/// Returns true while this thread does a step of background work, which one server alone may do.
inline bool in_background() {
  return detail::in_background;
}

/// Says so for its lifetime.
class BackgroundScope : ScopedValue<bool> {
 public:
  explicit BackgroundScope(bool in_background = true) : ScopedValue(detail::in_background, in_background) {}
};

}  // namespace dinette::base
