#pragma once

#include <string>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"
#include "dinette/store/row.h"

#include "dynamodb/api/destination_log.h"

namespace dinette::dynamodb {

/// Returns a change of a log as Kinesis gets it: JSON, and the partition key, which all changes of an item
/// share. The same change has the same eventID each time.
kv::Result<deliveries::Record> kinesis_record(const api::DestinationLog& log, store::StreamPosition position,
                                              std::string_view change);

/// Appends the text of an item with all binary values encoded once more in base64.
void append_encoded_twice(std::string& out, std::string_view item);

}  // namespace dinette::dynamodb
