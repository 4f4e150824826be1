#pragma once

#include <span>
#include <stop_token>
#include <string_view>

#include "dinette/dynamodb/kinesis_streams.h"

namespace dinette::app {

/// The Kinesis streams of the same process.
class OwnStreams final : public dynamodb::KinesisStreams {
 public:
  kv::Result<bool> takes_records(tenancy::World& world, std::string_view name_space,
                                 std::string_view stream_arn, const std::stop_token& stop) override;
  PutResult put(tenancy::World& world, std::string_view name_space, std::string_view stream_arn,
                std::span<const Record> records, const std::stop_token& stop) override;
};

}  // namespace dinette::app
