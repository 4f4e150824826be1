#pragma once

#include <string>
#include <string_view>

#include "dynamodb/api/record.h"

namespace dinette::dynamodb {

/// Returns a record of a stream as Lambda passes it to functions, compact (docs/service/triggers.md
/// section 6.1).
std::string event_record(const api::Record& record, std::string_view stream_arn);

}  // namespace dinette::dynamodb
