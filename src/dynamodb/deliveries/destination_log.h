#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/store/row.h"
#include "dinette/store/store.h"

#include "dynamodb/api/destination_log.h"
#include "dynamodb/api/kinesis_destination.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/tasks/kept_entry.h"

/// The changes of a table that are recorded for a Kinesis destination, until they are delivered. A log is one
/// of the store's streams, and its entry says what its delivery must know: it outlives the table, and what
/// the table says of the destination. Records are removed when they have been delivered, so that a log begins
/// where its delivery goes on.
namespace dinette::dynamodb {

template <>
struct KeptEntry<api::DestinationLog> {
  static constexpr store::SpaceId space{14};
  static constexpr std::string_view name = "the log of a Kinesis destination";
  static std::string key(const api::DestinationLog& log);
  static bool is_whole(const api::DestinationLog& log) { return !log.key_names.empty(); }
};

/// Returns the log of a destination, which has one, of that table.
api::DestinationLog new_log(const api::TableRecord& record, const api::KinesisDestination& destination);

/// Returns where the records are.
store::StreamId records_of(const api::DestinationLog& log);

/// Reads a log as one shard. What it was made with must outlive it.
class LogSource final : public deliveries::StreamSource {
 public:
  static constexpr std::string_view shard = "log";

  LogSource(store::Store& store, const api::DestinationLog& log) : store_(store), log_(log) {}

  kv::Result<std::optional<std::vector<deliveries::Shard>>> shards() override;
  kv::Result<std::string> place_of(const std::string& shard, deliveries::StartingPosition position,
                                   base::TimePoint moment) override;
  kv::Result<deliveries::RecordPage> read(const std::string& shard, const std::string& after,
                                          std::size_t most, std::size_t most_bytes) override;

  /// Removes the records up to that number, which read() has returned.
  kv::Result<void> remove_up_to(std::string_view number);

 private:
  struct Returned {
    store::StreamPosition position;
    std::int64_t bytes;
  };

  store::Store& store_;
  const api::DestinationLog& log_;
  std::deque<Returned> returned_;  ///< by read(), and not removed yet; in their order
};

}  // namespace dinette::dynamodb
