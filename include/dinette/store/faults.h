#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::store {

/// What happens to a request that a rule hits.
struct FaultEffect {
  /// Before: instead of the operation. After: the operation is carried out, and then its answer is lost.
  enum class Phase : bool { before, after };

  Phase phase = Phase::before;
  std::string error = {};             ///< the type of the error to answer with; empty: none
  std::string message = {};           ///< of the error; empty: the front end's own
  std::chrono::milliseconds delay{};  ///< real time to wait first
  bool drop = false;                  ///< close the connection without an answer
  /// Of a batch that is otherwise carried out: positions of items, from 1, that are left unprocessed, and
  /// the share of all items that are, by chance.
  std::vector<std::uint64_t> unprocessed = {};
  double unprocessed_share = 0;
};

/// A fault that a test orders: which requests it hits, and what happens to them. Operations, tables and
/// errors have the names that the front end gives them.
struct FaultRule {
  std::string operation = {};               ///< empty: any
  std::string table = {};                   ///< empty: any, or none
  std::uint64_t nth = 1;                    ///< the first matching request that it may hit, from 1
  std::optional<std::uint64_t> times = {};  ///< how many requests it hits at most; absent: all
  double probability = 1;                   ///< of hitting a request that it may hit
  std::uint64_t seed = 0;                   ///< of the rule's own random numbers
  FaultEffect effect = {};
};

/// A rule, and what it has done.
struct FaultRecord {
  FaultRule rule;
  std::uint64_t matched = 0;  ///< requests that it was compared with, and that are of its kind
  std::uint64_t fired = 0;    ///< requests that it hit
};

/// A request, as far as rules look at it.
struct FaultRequest {
  std::string_view operation;
  std::span<const std::string_view> tables = {};  ///< that it names
};

/// Returns a number from 0 to less than 1, the same ones with every standard library.
inline double draw(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// A request that a rule hit.
struct FaultHit {
  FaultEffect effect;
  std::uint64_t seed = 0;   ///< of the random numbers that the effect takes
  std::uint64_t rules = 0;  ///< which set of rules that was
};

/// The faults ordered for one world. Thread safe.
class Faults {
 public:
  Faults() = default;
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// Returns true if there are rules. One relaxed load.
  bool any() const { return any_.load(std::memory_order_relaxed); }

  /// Puts `rules` in the place of those before, with all counts at zero. Ends every wait().
  void replace(std::vector<FaultRule> rules);

  /// Returns the rules in their order.
  std::vector<FaultRecord> list() const;

  /// Returns what happens to the request, if anything. The first rule that fires decides; those after it do
  /// not see the request. To be called once per request.
  std::optional<FaultHit> next(const FaultRequest& request);

  /// Waits for the delay of a hit in real time, or until its rules are replaced.
  void wait(const FaultHit& hit);

 private:
  struct Entry {
    explicit Entry(FaultRule rule) : record{std::move(rule)}, random(record.rule.seed) {}

    bool fires();
    FaultHit hit(std::uint64_t rules);

    FaultRecord record;
    std::mt19937_64 random;
  };

  mutable std::mutex mutex_;
  std::condition_variable replaced_;
  std::uint64_t rules_ = 0;        ///< counts the sets of rules; guarded by mutex_
  std::vector<Entry> entries_;     ///< guarded by mutex_
  std::atomic<bool> any_ = false;  ///< changes under mutex_
};

}  // namespace dinette::store
