#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// Locks on byte strings, held during one transaction: for engines that live in this process alone. A name is
/// known by its hash, so two names may, very rarely, count as one; that costs waiting, nothing else.
///
/// Every transaction acquires its latches in the order of the hashes, so there are no deadlocks. A waiting
/// exclusive latch keeps later shared ones out, so that it gets its turn.
class Latches {
  struct Claim {
    std::uint64_t name;
    bool exclusive;
  };
  using Claims = boost::container::small_vector<Claim, 8>;

 public:
  /// Holds latches; releases them when it is destroyed.
  class Hold {
   public:
    Hold() = default;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold();

   private:
    friend class Latches;
    Latches* latches_ = nullptr;
    Claims held_;
  };

  /// Acquires all of `locks` into `hold`, which must be empty. If they are not free by `deadline`, acquires
  /// none and returns false. Locks that are free are acquired even when the deadline has passed.
  bool acquire(std::span<const Lock> locks, Deadline deadline, Hold& hold);

 private:
  struct Latch {
    std::uint64_t name;
    std::uint32_t shared = 0;  ///< holders
    std::uint32_t waiting_shared = 0;
    std::uint32_t waiting_exclusive = 0;
    bool exclusive = false;  ///< held

    bool unused() const { return shared + waiting_shared + waiting_exclusive == 0 && !exclusive; }
    bool admits(bool for_exclusive) const {
      return for_exclusive ? !exclusive && shared == 0 : !exclusive && waiting_exclusive == 0;
    }
  };
  /// The latches in use whose names fall here. Aligned so that neighbours do not share a cache line.
  struct alignas(64) Stripe {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Latch> latches;

    Latch& find_or_add(std::uint64_t name);
    void drop_if_unused(std::uint64_t name);
  };
  static constexpr std::size_t stripe_count = 256;

  Stripe& stripe_of(std::uint64_t name) { return stripes_[name % stripe_count]; }
  bool acquire(const Claim& claim, Deadline deadline);
  void release(const Claim& claim);

  std::array<Stripe, stripe_count> stripes_;
};

}  // namespace dinette::kv
