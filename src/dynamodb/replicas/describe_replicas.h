#pragma once

#include <string_view>

#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb {

/// How descriptions show replicas that are being made, and what replicas override. The answer to a request
/// that changes replicas hides both.
enum class ReplicaChanges : bool { shown, hidden };

/// Adds to the description of a table what it shows of its replicas, as seen from a region; nothing for a
/// regional table (docs/service/global-tables.md section 1).
void describe_replicas(const api::TableRecord& record, std::string_view region, codec::Timestamp now,
                       ReplicaChanges changes, api::TableDescription& description);

}  // namespace dinette::dynamodb
