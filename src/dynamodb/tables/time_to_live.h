#pragma once

#include "dinette/store/catalog.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/time_to_live_specification.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Checks a change of the table's time to live, in the order of docs/service/ttl-tags.md section
/// 1.
Answer<void> check_time_to_live(const api::TableRecord& record, const api::TimeToLiveSpecification& wanted);

/// The table after that change. Expiry entries go when it is disabled; when it is enabled, items that are
/// there have none yet.
store::TableUpdate with_time_to_live(api::TableRecord record, const api::TimeToLiveSpecification& wanted);

}  // namespace dinette::dynamodb
