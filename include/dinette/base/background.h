#pragma once

namespace dinette::base {

namespace detail {
inline thread_local bool in_background = false;
}

/// Returns true while this thread does a step of background work, which one server alone may do.
inline bool in_background() {
  return detail::in_background;
}

/// Says so for its lifetime.
class BackgroundScope {
 public:
  explicit BackgroundScope(bool in_background = true) : before_(detail::in_background) {
    detail::in_background = in_background;
  }
  ~BackgroundScope() { detail::in_background = before_; }
  BackgroundScope(const BackgroundScope&) = delete;
  BackgroundScope& operator=(const BackgroundScope&) = delete;

 private:
  const bool before_;
};

}  // namespace dinette::base
