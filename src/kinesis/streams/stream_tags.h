#pragma once

#include <string>
#include <vector>

#include "dinette/aws/json_types.h"

#include "kinesis/api/stream_record.h"
#include "kinesis/request/context.h"

// docs/service/kinesis-data-streams.md section 7.
namespace dinette::kinesis {

/// Adds tags to a stream, or changes those that it has.
Answer<void> add_tags(const Context& context, api::StreamRecord& stream,
                      const aws::Entries<std::string>& tags);
Answer<void> remove_tags(const Context& context, api::StreamRecord& stream,
                         const std::vector<std::string>& keys);

}  // namespace dinette::kinesis
