#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"

/// Where deliveries read: streams of records, in shards.
namespace dinette::deliveries {

/// A record of a shard, as it is delivered.
struct Record {
  std::string number;      ///< orders the records of a shard: decimal digits, without leading zeros
  base::TimePoint moment;  ///< when it was written
  std::string key;         ///< records with the same key are delivered in their order
  std::string payload;     ///< what the target gets
};

/// Orders the numbers of records. "" is before all.
inline bool is_before(std::string_view one, std::string_view other) {
  return one.size() != other.size() ? one.size() < other.size() : one < other;
}

struct Shard {
  std::string id;
  std::vector<std::string> parents;  ///< whose records come first; those that are gone may be missing
};

/// Records that follow a place in a shard.
struct RecordPage {
  std::vector<Record> records;
  bool at_end = false;  ///< there is no other record now
  bool closed = false;  ///< and there will be none
};

/// Where the reader of a stream begins.
enum class StartingPosition {
  trim_horizon,  ///< with the oldest record
  latest,        ///< with the next record
  at_timestamp,  ///< with the first record of a moment, or after it
};

/// A stream. For one thread at a time.
class StreamSource {
 public:
  StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;
  virtual ~StreamSource() = default;

  /// Returns the shards that there are, parents before their children; nothing if the stream is gone.
  virtual kv::Result<std::optional<std::vector<Shard>>> shards() = 0;

  /// Returns the number after which a reader of a shard begins. `moment` is that of at_timestamp.
  virtual kv::Result<std::string> place_of(const std::string& shard, StartingPosition position,
                                           base::TimePoint moment) = 0;

  /// Reads up to `most` records, at least one if there is one, and about `most_bytes` of payloads. Records
  /// that were removed because of their age are skipped. A shard that is gone is closed.
  virtual kv::Result<RecordPage> read(const std::string& shard, const std::string& after, std::size_t most,
                                      std::size_t most_bytes) = 0;

  /// Returns true for a record that was read, and was removed since because of its age. If one is removed, so
  /// are those before it.
  virtual kv::Result<bool> is_removed([[maybe_unused]] const std::string& shard,
                                      [[maybe_unused]] const Record& record) {
    return false;
  }
};

}  // namespace dinette::deliveries
