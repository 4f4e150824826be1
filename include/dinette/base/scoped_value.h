#pragma once

#include <utility>

namespace dinette::base {

/// Gives a variable, usually one of the thread's own, a value for this lifetime. Afterwards it has the one
/// that it had before.
template <class Value>
class ScopedValue {
 public:
  ScopedValue(Value& variable, Value value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~ScopedValue() { variable_ = std::move(before_); }
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;

 private:
  Value& variable_;
  Value before_;
};

}  // namespace dinette::base
