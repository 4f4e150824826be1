#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/lambda/stream_sources.h"

namespace dinette::app {

/// The streams of this server: those of tables, and those of Kinesis.
class ServedStreams final : public lambda::StreamSources {
 public:
  kv::Result<std::unique_ptr<deliveries::StreamSource>> open(tenancy::World& world,
                                                             std::string_view name_space,
                                                             std::string_view arn) override;
  kv::Result<std::string> stream_of_table(tenancy::World& world, std::string_view name_space,
                                          std::string_view table) override;
};

}  // namespace dinette::app
