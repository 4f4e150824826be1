#pragma once

#include <cstdint>

#include "kinesis/request/context.h"
#include "kinesis/streams/open_stream.h"

// docs/service/kinesis-data-streams.md section 6.
namespace dinette::kinesis {

enum class RetentionChange : bool { increase, decrease };

/// Changes the retention period of a stream in one direction.
Answer<void> change_retention(const Context& context, const StreamName& name, std::int32_t hours,
                              RetentionChange change);

}  // namespace dinette::kinesis
