#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace dinette::base {

/// A shared pointer that one thread may replace while others read it. Its lock is held for a few
/// instructions, so contending threads spin. std::atomic<std::shared_ptr> of libstdc++ 12 does the same, but
/// lets its lock go with relaxed order after a read, which is a data race.
template <class T>
class AtomicPointer {
 public:
  explicit AtomicPointer(std::shared_ptr<T> pointer) : pointer_(std::move(pointer)) {}

  std::shared_ptr<T> load() const {
    const std::lock_guard guard(lock_);
    return pointer_;
  }
  /// Returns the pointer that was there before.
  std::shared_ptr<T> exchange(std::shared_ptr<T> pointer) {
    const std::lock_guard guard(lock_);
    pointer_.swap(pointer);
    return pointer;
  }

 private:
  class Lock {
   public:
    void lock() {
      while (held_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    void unlock() { held_.clear(std::memory_order_release); }

   private:
    std::atomic_flag held_;
  };

  mutable Lock lock_;
  std::shared_ptr<T> pointer_;  ///< guarded by lock_
};

}  // namespace dinette::base
