#include "dinette/observe/counters.h"

#include <memory>

namespace dinette::observe {

Counters::~Counters() {
  for (const auto& copy : copies_) delete[] copy.load();
}

std::uint64_t Counters::value(std::size_t index) const {
  std::uint64_t sum = 0;
  for (const auto& copy : copies_) {
    if (const Number* numbers = copy.load(std::memory_order_acquire))
      sum += numbers[index].load(std::memory_order_relaxed);
  }
  return sum;
}

std::size_t Counters::next_place() {
  static std::atomic<std::size_t> threads{0};
  return threads.fetch_add(1, std::memory_order_relaxed) % most_copies;
}

/// Makes a copy, unless another thread with the same place does so first.
Counters::Number* Counters::make(std::atomic<Number*>& place) const {
  auto made = std::make_unique<Number[]>(size_);
  Number* first = nullptr;
  return place.compare_exchange_strong(first, made.get()) ? made.release() : first;
}

}  // namespace dinette::observe
