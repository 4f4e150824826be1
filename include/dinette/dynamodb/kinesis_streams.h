#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/kv/error.h"
#include "dinette/tenancy/world.h"

namespace dinette::dynamodb {

/// The Kinesis streams that tables deliver their changes to, wherever they are: in this process, or at
/// another address. Streams are named by their ARNs; `name_space` is that of the table, as tenancy::Tenants
/// chooses it. Calls may wait for networks, and return soon after a stop is requested. Thread-safe.
class KinesisStreams {
 public:
  /// Views: must outlive the call.
  struct Record {
    std::string_view partition_key;
    std::string_view data;
  };

  enum class Put : std::uint8_t {
    done,
    no_stream,    ///< there is none of that ARN that takes records
    refused,      ///< a record is not what the stream takes
    unavailable,  ///< it may go well the next time
  };
  struct PutResult {
    Put put = Put::done;
    std::string reason = {};  ///< of what has failed, for people
  };

  KinesisStreams() = default;
  KinesisStreams(const KinesisStreams&) = delete;
  KinesisStreams& operator=(const KinesisStreams&) = delete;
  virtual ~KinesisStreams() = default;

  /// Returns true if there is a stream of that ARN that takes records.
  virtual kv::Result<bool> takes_records(tenancy::World& world, std::string_view name_space,
                                         std::string_view stream_arn, const std::stop_token& stop) = 0;

  /// Puts at most 500 records, with at most 4 MiB of data unless it is one record, those with the same
  /// partition key in their order. If it fails, some of them may have been put: the caller repeats all.
  virtual PutResult put(tenancy::World& world, std::string_view name_space, std::string_view stream_arn,
                        std::span<const Record> records, const std::stop_token& stop) = 0;
};

}  // namespace dinette::dynamodb
