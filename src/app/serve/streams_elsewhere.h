#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/sign_request.h"
#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/kinesis_streams.h"
#include "dinette/http/client.h"
#include "dinette/tcp/stream.h"

namespace dinette::app {

/// The streams of a Kinesis at another address, the same for all worlds. They are called by JSON, with the
/// region of the stream's ARN.
class StreamsElsewhere final : public dynamodb::KinesisStreams {
 public:
  /// `clock`, which shows real time, must outlive it.
  StreamsElsewhere(tcp::Remote server, aws::SigningIdentity identity, const base::Clock& clock);

  kv::Result<bool> takes_records(tenancy::World& world, std::string_view name_space,
                                 std::string_view stream_arn, const std::stop_token& stop) override;
  /// PutRecords may refuse some of its records, and orders none. So records of one key are sent one after the
  /// other, each when the one before it has been put.
  PutResult put(tenancy::World& world, std::string_view name_space, std::string_view stream_arn,
                std::span<const Record> records, const std::stop_token& stop) override;

 private:
  using Positions = std::vector<std::size_t>;  ///< of records

  /// Puts records whose keys all differ. Leaves in `wanted` those that failed.
  PutResult put_once(std::string_view stream_arn, std::span<const Record> records, Positions& wanted,
                     const std::stop_token& stop) const;
  /// Returns the body of a success.
  base::Result<std::string, PutResult> call(std::string_view operation, std::string_view stream_arn,
                                            std::string body, const std::stop_token& stop) const;

  const tcp::Remote server_;
  const aws::SigningIdentity identity_;
  const base::Clock& clock_;
};

}  // namespace dinette::app
