#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace dinette::base {

/// Where everything random comes from. Good for names and sampling, not for secrets. Every member may be
/// called from several threads at once.
class Ids {
 public:
  Ids() = default;
  Ids(const Ids&) = delete;
  Ids& operator=(const Ids&) = delete;
  virtual ~Ids() = default;

  /// 64 evenly distributed bits.
  virtual std::uint64_t random() = 0;

  /// A version 4 UUID in its usual form: 36 characters, lower case.
  std::string uuid();
};

/// A generator a thread, seeded by the operating system.
class SystemIds final : public Ids {
 public:
  std::uint64_t random() override;
};

/// The same sequence for the same seed; with several threads the sequence is shared out among them.
class SeededIds final : public Ids {
 public:
  explicit SeededIds(std::uint64_t seed) : state_(seed) {}

  std::uint64_t random() override;

 private:
  std::atomic<std::uint64_t> state_;
};

}  // namespace dinette::base
