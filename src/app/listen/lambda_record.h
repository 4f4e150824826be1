#pragma once

#include <optional>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/deliveries/stream_source.h"

namespace dinette::app {

/// Returns a record of GetRecords in the form in which functions get it (docs/service/triggers.md section
/// 6.1). `stream`: its ARN. Returns nothing if it is none.
std::optional<deliveries::Record> lambda_record(aws::JsonElement record, std::string_view stream);

}  // namespace dinette::app
