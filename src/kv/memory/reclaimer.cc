#include "kv/memory/reclaimer.h"

#include <algorithm>
#include <exception>
#include <limits>

#include "dinette/base/heap.h"

#include "kv/live_memory.h"

namespace dinette::kv::memory {
namespace {

/// How much a thread that serves requests frees itself: about 1,500 rows, a fraction of a millisecond.
constexpr std::size_t nodes_freed_at_once = 64;
constexpr std::size_t all_nodes = std::numeric_limits<std::size_t>::max();
/// How many bytes of values must have been freed before pages are given back, or a quarter of the most there
/// were, if that is more. Giving them back takes a fraction of a millisecond, a few per cent of the time that
/// putting and deleting so much takes.
constexpr std::int64_t worth_giving_back = 1 << 20;

}  // namespace

Reclaimer::~Reclaimer() {
  std::thread thread;
  {
    const std::lock_guard guard(mutex_);
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
}

void Reclaimer::take(Garbage& garbage) {
  if (garbage.empty()) return;
  if (garbage.free_some(nodes_freed_at_once) && !much_became_free()) return;
  if (hand_over(garbage)) return;
  (void)garbage.free_some(all_nodes);
  base::trim_heap();
}

/// Returns true if values have shrunk by enough since their maximum; counting then starts again from here.
bool Reclaimer::much_became_free() {
  const std::int64_t live = live_memory.bytes.load(std::memory_order_relaxed);
  std::int64_t high = high_water_.load(std::memory_order_relaxed);
  if (live >= high) {
    high_water_.store(live, std::memory_order_relaxed);
    return false;
  }
  if (high - live < std::max(worth_giving_back, high / 4)) return false;
  return high_water_.compare_exchange_strong(high, live, std::memory_order_relaxed);
}

/// Returns false if no thread can be started, or there is no memory for the queue.
bool Reclaimer::hand_over(Garbage& garbage) {
  const std::lock_guard guard(mutex_);
  try {
    if (!working_) {
      if (thread_.joinable()) thread_.join();  // its loop has ended already
      thread_ = std::thread([this] { work(); });
      working_ = true;
    }
    queue_.add(garbage);
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

void Reclaimer::work() {
  Garbage mine;
  while (true) {
    {
      const std::lock_guard guard(mutex_);
      mine.add(queue_);
    }
    (void)mine.free_some(all_nodes);
    (void)much_became_free();
    base::trim_heap();
    const std::lock_guard guard(mutex_);
    if (queue_.empty()) {
      working_ = false;
      return;
    }
  }
}

}  // namespace dinette::kv::memory
