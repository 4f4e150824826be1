#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dinette::observe {

/// Numbers that only grow, counted by many threads without contention: each thread adds to one of a few
/// copies, which are created on demand. Except for the constructor, members throw only std::bad_alloc.
/// Thread-safe.
class Counters {
 public:
  explicit Counters(std::size_t size) : size_(size) {}
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  std::size_t size() const { return size_; }

  void add(std::size_t index, std::uint64_t amount = 1) {
    Number* numbers = copies_[place()].load(std::memory_order_acquire);
    if (numbers == nullptr) [[unlikely]]
      numbers = make(copies_[place()]);
    numbers[index].fetch_add(amount, std::memory_order_relaxed);
  }

  /// Returns the sum of all that was added.
  std::uint64_t value(std::size_t index) const;

 private:
  using Number = std::atomic<std::uint64_t>;
  static constexpr std::size_t most_copies = 16;

  static std::size_t next_place();
  /// Returns which copy this thread adds to.
  static std::size_t place() {
    thread_local const std::size_t own = next_place();
    return own;
  }

  Number* make(std::atomic<Number*>& place) const;

  const std::size_t size_;
  std::array<std::atomic<Number*>, most_copies> copies_ = {};
};

}  // namespace dinette::observe
