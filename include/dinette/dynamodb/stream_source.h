#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"
#include "dinette/tenancy/world.h"

namespace dinette::dynamodb {

/// Returns the stream of a table that has this ARN, as Lambda reads it: payloads are records of its events
/// (docs/service/triggers.md section 6.1), keys those of items. Null if there is none. `name_space`: in which
/// the table is, as tenancy::Tenants chooses it. The world must outlive the source.
kv::Result<std::unique_ptr<deliveries::StreamSource>> open_stream_source(tenancy::World& world,
                                                                         std::string_view name_space,
                                                                         std::string_view stream_arn);

/// Returns the ARN of the stream that a table has now; empty: it has none, or there is no such table.
kv::Result<std::string> stream_of_table(tenancy::World& world, std::string_view name_space,
                                        std::string_view table);

}  // namespace dinette::dynamodb
