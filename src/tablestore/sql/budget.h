#pragma once

#include <cstddef>
#include <cstdint>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore::sql {

/// Work and memory of one statement, which all queries in it share. Expressions return values alone: once a
/// limit was exceeded they are NULL, and check() fails.
class Budget {
 public:
  Budget() = default;
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  bool is_spent() const { return is_too_large_ || steps_ > limits::sql_steps; }
  Answer<void> check() const {
    if (is_too_large_) return refuse::sql_too_large(static_cast<std::int64_t>(limits::sql_held_bytes));
    if (is_spent()) return refuse::sql_too_much_work(static_cast<std::int64_t>(limits::sql_steps));
    return {};
  }

  /// Counts work that grows faster than tables: pairs of rows, rows of queries inside others, long texts. A
  /// step takes up to about half a microsecond.
  void spend(std::size_t steps) { steps_ += steps; }
  /// Of texts that are looked at or made byte by byte.
  void spend_bytes(std::size_t bytes) { spend(bytes / bytes_of_step); }
  /// Of texts that are copied or compared as a whole.
  void spend_copy(std::size_t bytes) { spend(bytes / copied_bytes_of_step); }
  /// Returns how many steps a row is whose conditions are as large as this, with the bytes that it has.
  static std::size_t steps_of_row(std::size_t weight, std::size_t bytes) {
    constexpr std::size_t weight_of_step = 32;
    return 1 + weight / weight_of_step + bytes / row_bytes_of_step;
  }

  /// Counts what is there at once, until it is released.
  void hold(std::size_t bytes) {
    held_ += bytes;
    if (held_ > limits::sql_held_bytes) is_too_large_ = true;
  }
  void release(std::size_t bytes) { held_ -= bytes; }

 private:
  static constexpr std::size_t bytes_of_step = 64;
  static constexpr std::size_t copied_bytes_of_step = 256;
  static constexpr std::size_t row_bytes_of_step = 1024;

  std::size_t steps_ = 0;
  std::size_t held_ = 0;
  bool is_too_large_ = false;
};

/// Rows or values that are there at once, of those of their statement.
class HeldBytes {
 public:
  /// `budget`: null if nothing is counted.
  explicit HeldBytes(Budget* budget) : budget_(budget) {}
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() {
    if (budget_ != nullptr) budget_->release(bytes_);
  }

  std::size_t bytes() const { return bytes_; }
  void take(std::size_t bytes) {
    bytes_ += bytes;
    if (budget_ != nullptr) budget_->hold(bytes);
  }
  Answer<void> add(std::size_t bytes) {
    take(bytes);
    return budget_ != nullptr ? budget_->check() : Answer<void>();
  }

 private:
  Budget* const budget_;
  std::size_t bytes_ = 0;
};

}  // namespace dinette::tablestore::sql
