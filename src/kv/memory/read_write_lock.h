#pragma once

#include <pthread.h>

namespace dinette::kv::memory {

/// With glibc, readers that keep coming can starve a writer of std::shared_mutex. Here a waiting writer goes
/// first. A thread must not take the lock shared twice. The lock is usually held for less than a microsecond,
/// so spinning that long is cheaper than sleeping.
class ReadWriteLock {
 public:
  ReadWriteLock() {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock_, &attributes);
    pthread_rwlockattr_destroy(&attributes);
  }
  ReadWriteLock(const ReadWriteLock&) = delete;
  ReadWriteLock& operator=(const ReadWriteLock&) = delete;
  ~ReadWriteLock() { pthread_rwlock_destroy(&lock_); }

  // Named as std::unique_lock and std::shared_lock expect. They cannot fail as they are used here.
  void lock() {
    if (!try_for_a_while(pthread_rwlock_trywrlock)) pthread_rwlock_wrlock(&lock_);
  }
  void unlock() { pthread_rwlock_unlock(&lock_); }
  void lock_shared() {
    if (!try_for_a_while(pthread_rwlock_tryrdlock)) pthread_rwlock_rdlock(&lock_);
  }
  void unlock_shared() { pthread_rwlock_unlock(&lock_); }

 private:
  static constexpr int tries = 100;  ///< about a microsecond

  bool try_for_a_while(int (*attempt)(pthread_rwlock_t*)) {
    for (int i = 0; i < tries; ++i) {
      if (attempt(&lock_) == 0) return true;
    }
    return false;
  }

  pthread_rwlock_t lock_;
};

}  // namespace dinette::kv::memory
