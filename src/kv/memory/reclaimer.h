#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "kv/memory/garbage.h"

namespace dinette::kv::memory {

/// Frees what writers and readers leave behind: little at once, much on a thread of its own, so that dropping
/// a large table delays no request. The thread lives while there is something to free; if none can be
/// started, everything is freed at once. After much has been freed, the pages are given back to the operating
/// system. Shared by an engine, its forks and their snapshots.
class Reclaimer {
 public:
  Reclaimer() = default;
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;
  /// Finishes the work first.
  ~Reclaimer();

  /// Frees `garbage`, at once or soon.
  void take(Garbage& garbage);

 private:
  bool hand_over(Garbage& garbage);
  void work();
  bool much_became_free();

  std::mutex mutex_;
  Garbage queue_;         ///< guarded by mutex_
  bool working_ = false;  ///< guarded by mutex_: the thread will look at the queue again
  std::thread thread_;    ///< guarded by mutex_
  std::atomic<std::int64_t> high_water_{0};
};

}  // namespace dinette::kv::memory
