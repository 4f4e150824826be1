#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/deliveries/lanes.h"
#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"

/// What is done with the records of a shard: a function, a Kinesis stream or another region gets them.
/// Every record is delivered at least once, those with the same key in their order.
namespace dinette::deliveries {

/// When records make a batch: as soon as there are so many of them, or so many bytes, or the first of them
/// has waited for `window`.
struct BatchRule {
  std::size_t records = 100;
  std::size_t bytes = 6 << 20;  ///< of payloads; a longer record is a batch of its own
  std::chrono::seconds window{0};
  /// If not zero, a batch has records of one period of this length only, and the target keeps a state in it
  /// (TumblingWindow).
  std::chrono::seconds tumbling{0};
};

/// What becomes of records whose batch has failed. They are discarded when neither limit allows another try.
struct RetryRule {
  std::optional<int> retries = std::nullopt;  ///< nothing: any number
  std::optional<std::chrono::seconds> age =
      std::nullopt;      ///< of a record; nothing: as old as the source keeps
  bool bisects = false;  ///< a failed batch is delivered in two halves, until a record fails alone
};

/// A period of time, aligned to the epoch, whose records a target sums up.
struct TumblingWindow {
  base::TimePoint begin;
  base::TimePoint end;
  std::string state = {};  ///< what the last delivery in it returned; "" at first
  bool is_final = false;   ///< the last delivery, without records
  bool is_early = false;   ///< it ends before its time, because the state is too large
};

struct Batch {
  std::string id;  ///< the same for all tries
  std::string shard;
  std::span<const Record> records;
  std::optional<TumblingWindow> window;
  int tries = 0;  ///< before this one
};

struct Verdict {
  enum class Kind : std::uint8_t {
    done,
    partly,       ///< the first records are done
    failed,       ///< a try
    unavailable,  ///< there was no try: it is repeated for as long as the records are young enough
  };
  Kind kind = Kind::done;
  std::size_t done = 0;     ///< Kind::partly: how many records are done; fewer than all. 0 counts as failed
  std::string state = {};   ///< of a tumbling window, for its next delivery
  bool too_large = false;   ///< that state: the window ends early
  std::string reason = {};  ///< of what is not done, for people
};

enum class Discard : std::uint8_t { retries_exhausted, too_old };

/// Who gets the records. For one thread at a time.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  /// Returns false for records that are passed over.
  virtual bool admits([[maybe_unused]] const Record& record) { return true; }

  /// Delivers a batch. May take long; returns soon after a stop is requested, with Kind::unavailable.
  virtual Verdict deliver(const Batch& batch, const std::stop_token& stop) = 0;

  /// Gives up records, after Batch::tries tries.
  virtual void discard([[maybe_unused]] const Batch& batch, [[maybe_unused]] Discard why) {}
};

/// How far a delivery has come.
struct Progress {
  std::string after;  ///< the number of the last record that is done, or the place where it began
  std::optional<TumblingWindow> window = std::nullopt;  ///< that has begun
};

/// A part of a shard whose records are delivered in order: those whose key falls to `number` of `of`.
struct Part {
  std::string shard;
  unsigned number = 0;
  unsigned of = 1;
};

/// Returns the part, of so many, that has the records with this key. Never changes, since progress is kept.
unsigned part_of(std::string_view key, unsigned parts);

/// What a delivery works with. What is referred to must outlive it.
struct DeliverySettings {
  StreamSource& source;
  Target& target;
  const base::Clock& clock;  ///< of the world
  base::Ids& ids;
  Part part;
  BatchRule batches = {};
  RetryRule retries = {};
  /// Stores how far the delivery has come; before the first call it has come to `progress`.
  std::function<kv::Result<void>(const Progress& progress)> keep;
  Progress progress = {};
  /// Returns true for records of this part that are done although they follow the progress: they were
  /// delivered when the shard had another number of parts.
  std::function<bool(const Record& record)> is_done = [](const Record&) { return false; };
  /// Returns false if the delivery is to end after the try that is running, such as for new settings.
  std::function<bool()> continues = [] { return true; };
};

/// Delivers the records of one part of a shard, batch by batch, until the shard is closed and all of them are
/// done or discarded.
class Delivery {
 public:
  /// The pause of real time after records were delivered, while there are no others: those that come
  /// meanwhile are delivered together. The first record after a while without any does not wait.
  static constexpr std::chrono::milliseconds rest{20};

  explicit Delivery(DeliverySettings settings);
  ~Delivery();

  /// Delivers what there is. Returns when to continue; Pause::done at the end.
  kv::Result<Pause> step(const std::stop_token& stop);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::deliveries
