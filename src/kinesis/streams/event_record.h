#pragma once

#include <string>
#include <string_view>

#include "kinesis/api/stream_record.h"
#include "kinesis/streams/stored_record.h"

namespace dinette::kinesis {

/// Returns a record of a stream as Lambda passes it to functions, compact (docs/service/triggers.md
/// section 6.2).
std::string event_record(const api::StreamRecord& stream, std::string_view shard_id, std::string_view number,
                         const StoredRecord& record);

}  // namespace dinette::kinesis
