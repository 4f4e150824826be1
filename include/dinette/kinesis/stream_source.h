#pragma once

#include <memory>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"
#include "dinette/tenancy/world.h"

namespace dinette::kinesis {

/// Returns the stream of that ARN, as Lambda reads it: payloads are records of its events
/// (docs/service/triggers.md section 6.2), keys are partition keys. Null if there is none. `name_space`: in
/// which the stream is, as tenancy::Tenants chooses it. The world must outlive the source.
kv::Result<std::unique_ptr<deliveries::StreamSource>> open_stream_source(tenancy::World& world,
                                                                         std::string_view name_space,
                                                                         std::string_view stream_arn);

}  // namespace dinette::kinesis
