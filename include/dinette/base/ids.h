#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace dinette::base {

/// The source of randomness. Good for names and sampling, not for secrets. Thread-safe.
class Ids {
 public:
  Ids() = default;
  Ids(const Ids&) = delete;
  Ids& operator=(const Ids&) = delete;
  virtual ~Ids() = default;

  /// Returns 64 evenly distributed bits.
  virtual std::uint64_t random() = 0;

  /// Returns a version 4 UUID in its usual form: 36 characters, lower case.
  std::string uuid();
};

/// One generator per thread, seeded by the operating system.
class SystemIds final : public Ids {
 public:
  std::uint64_t random() override;
};

/// The same sequence for the same seed. Several threads share one sequence.
class SeededIds final : public Ids {
 public:
  explicit SeededIds(std::uint64_t seed) : state_(seed) {}

  std::uint64_t random() override;

 private:
  std::atomic<std::uint64_t> state_;
};

}  // namespace dinette::base
