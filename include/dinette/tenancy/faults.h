#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"

namespace dinette::tenancy {

/// How long to wait, in real time: from `least` to `most`, all equally likely; or, if there is a `mean`, a
/// time of the exponential distribution with it, at most `most`.
struct FaultDelay {
  static FaultDelay always(std::chrono::milliseconds time) { return {time, time}; }

  std::chrono::milliseconds least{};
  std::chrono::milliseconds most{};
  std::chrono::milliseconds mean{};
};

/// The effect of a rule on a request.
struct FaultEffect {
  /// Before: instead of the operation. After: the operation is executed, and then its response is lost.
  enum class Phase : bool { before, after };

  Phase phase = Phase::before;
  std::string error = {};    ///< the type of the error to answer with; empty: none
  std::string message = {};  ///< of the error; empty: the front end's own
  FaultDelay delay = {};     ///< comes first
  bool drop = false;         ///< close the connection without a response
  /// For a batch that is otherwise executed: positions of items, from 1, that are left unprocessed, and the
  /// share of all items that are left at random.
  std::vector<std::uint64_t> unprocessed = {};
  double unprocessed_share = 0;
};

/// An attribute of an item with its type, such as {"id", "S", "order-7"}. Equal values have equal texts.
struct FaultAttribute {
  std::string name;
  std::string type;
  std::string value;

  bool operator==(const FaultAttribute&) const = default;
};

/// A fault that a test injects: which requests it affects, and how. The front end defines the names of
/// operations, tables and errors.
struct FaultRule {
  std::string operation = {};               ///< empty: any
  std::string table = {};                   ///< empty: any, or none
  std::vector<FaultAttribute> key = {};     ///< that an item of the request must have; empty: any, or none
  std::uint64_t nth = 1;                    ///< the first matching request that it may hit, from 1
  std::optional<std::uint64_t> times = {};  ///< how many requests it hits at most; absent: all
  double probability = 1;                   ///< of hitting a request that it may hit
  std::uint64_t seed = 0;                   ///< of the rule's own random numbers
  FaultEffect effect = {};
};

/// A rule, and what it has done.
struct FaultRecord {
  FaultRule rule;
  std::uint64_t matched = 0;  ///< requests that matched its operation, table and key
  std::uint64_t fired = 0;    ///< requests that it hit
};

/// What a rule has counted.
struct FaultCount {
  std::uint64_t matched = 0;
  std::uint64_t fired = 0;
};

/// Where several servers count together what the rules of a set have done. Thread-safe.
class FaultCounts {
 public:
  virtual ~FaultCounts() = default;

  virtual FaultCount read(std::uint64_t set, std::size_t rule) const = 0;
  /// Has `count`, which may run more than once, change a count while no other server does. If that fails,
  /// nothing is counted.
  virtual void change(std::uint64_t set, std::size_t rule, base::FunctionRef<void(FaultCount&)> count) = 0;
};

/// A table that a request names, and perhaps an item in it.
struct FaultTarget {
  std::string table;
  std::vector<FaultAttribute> attributes = {};  ///< of the item's key, or more of them
};

/// The properties of a request that rules compare.
struct FaultRequest {
  std::string_view operation;
  std::span<const FaultTarget> targets = {};
};

/// Returns a number from 0 to less than 1; the sequence is the same with every standard library.
inline double draw(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// A request that a rule hit.
struct FaultHit {
  FaultEffect effect;
  std::chrono::milliseconds delay{};  ///< that comes first
  std::uint64_t seed = 0;             ///< of the random numbers that the effect takes
  std::uint64_t rules = 0;            ///< which set of rules that was
};

/// The fault rules of one world. Thread-safe.
class Faults {
 public:
  Faults() = default;
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// Returns true if there are rules. One relaxed load.
  bool any() const { return any_.load(std::memory_order_relaxed); }

  /// Counts with other servers from now on, each of which replaces rules by the same ones and names the set.
  /// Random numbers then depend on how many requests have matched a rule, and not on which server drew them.
  void share(std::unique_ptr<FaultCounts> counts);

  /// Replaces all rules by `rules`, with all counts at zero. Ends every delay. `set`: its number, if counts
  /// are shared.
  void replace(std::vector<FaultRule> rules, std::uint64_t set = 0);
  /// Returns the number of the set of rules.
  std::uint64_t set() const;

  /// Returns the rules in their order.
  std::vector<FaultRecord> list() const;

  /// Returns what happens to the request, if anything. The first rule that fires applies; those after it do
  /// not see the request. Must be called once per request.
  std::optional<FaultHit> next(const FaultRequest& request);

  /// Calls `resume` after the delay of a hit, in real time, from another thread; or, when the rules of the
  /// hit are replaced, from the thread that does that, which may be this one now. `resume` must be brief, and
  /// must not keep this object alive. The destructor drops it. Throws std::system_error, and does not call
  /// it, if no thread can be started.
  void resume_after_delay(const FaultHit& hit, std::function<void()> resume);

 private:
  struct Entry {
    explicit Entry(FaultRule rule) : record{std::move(rule)}, random(record.rule.seed) {}

    bool fires();
    bool fires_by(FaultCount& count);
    FaultHit hit(std::uint64_t rules);

    FaultRecord record;
    std::mt19937_64 random;
  };

  using Moment = std::chrono::steady_clock::time_point;
  using Delayed = std::multimap<Moment, std::function<void()>>;

  void resume_when_due(const std::stop_token& stop);
  bool fires(std::size_t rule);

  std::unique_ptr<FaultCounts> counts_;  ///< null unless counts are shared
  mutable std::mutex mutex_;
  std::uint64_t set_ = 0;          ///< see replace(); guarded by mutex_
  std::uint64_t rules_ = 0;        ///< counts the sets of rules; guarded by mutex_
  std::vector<Entry> entries_;     ///< guarded by mutex_
  std::atomic<bool> any_ = false;  ///< changes under mutex_
  Delayed delayed_;                ///< by when they are due; guarded by mutex_
  std::condition_variable_any delayed_changed_;
  std::jthread resumer_;  ///< runs from the first delay on; guarded by mutex_, and first to end
};

}  // namespace dinette::tenancy
