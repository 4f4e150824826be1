#pragma once

namespace dinette::base {

namespace detail {
inline thread_local bool may_wait = true;
}

/// Returns false while this thread must not be held up, because it serves many clients in turn. Code that
/// would have to wait for others, for longer than it takes them to commit, then fails instead.
inline bool may_wait() {
  return detail::may_wait;
}

/// Says for its lifetime whether this thread may wait.
class WaitingScope {
 public:
  explicit WaitingScope(bool may_wait) : before_(detail::may_wait) { detail::may_wait = may_wait; }
  ~WaitingScope() { detail::may_wait = before_; }
  WaitingScope(const WaitingScope&) = delete;
  WaitingScope& operator=(const WaitingScope&) = delete;

 private:
  const bool before_;
};

}  // namespace dinette::base
