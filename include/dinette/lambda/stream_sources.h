#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"
#include "dinette/tenancy/world.h"

namespace dinette::lambda {

/// The streams that event source mappings read: of DynamoDB and of Kinesis. Thread-safe.
class StreamSources {
 public:
  StreamSources() = default;
  StreamSources(const StreamSources&) = delete;
  StreamSources& operator=(const StreamSources&) = delete;
  virtual ~StreamSources() = default;

  /// Opens the stream of that ARN, or of the consumer of a stream of Kinesis. `name_space`: in which it is,
  /// as tenancy::Tenants chooses it. Returns null if there is no such stream.
  virtual kv::Result<std::unique_ptr<deliveries::StreamSource>> open(tenancy::World& world,
                                                                     std::string_view name_space,
                                                                     std::string_view arn) = 0;

  /// Returns the ARN of the stream that a table of DynamoDB has now; empty: it has none, or there is no such
  /// table.
  virtual kv::Result<std::string> stream_of_table(tenancy::World& world, std::string_view name_space,
                                                  std::string_view table) = 0;
};

}  // namespace dinette::lambda
