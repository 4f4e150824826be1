#include "dynamodb/tables/time_to_live.h"

#include <utility>

#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

Answer<void> check_time_to_live(const api::TableRecord& record, const api::TimeToLiveSpecification& wanted) {
  const auto& current = record.time_to_live;
  if (!current) return wanted.enabled ? Answer<void>() : validation("TimeToLive is already disabled");
  if (current->attribute_name != wanted.attribute_name) {
    return validation("TimeToLive is active on a different AttributeName: current AttributeName is " +
                      current->attribute_name);
  }
  if (wanted.enabled) return validation("TimeToLive is already enabled");
  return {};
}

store::TableUpdate with_time_to_live(api::TableRecord record, const api::TimeToLiveSpecification& wanted) {
  if (wanted.enabled)
    record.time_to_live = api::TableTimeToLive{wanted.attribute_name, true};
  else
    record.time_to_live.reset();
  store::TableUpdate update(encode_record(record));
  update.drops_expiry = !wanted.enabled;
  return update;
}

}  // namespace dinette::dynamodb
