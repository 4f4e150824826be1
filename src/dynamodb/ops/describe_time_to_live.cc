#include "dynamodb/api/describe_time_to_live.h"

#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/time_to_live_description.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"

// docs/service/ttl-tags.md section 1.
namespace dinette::dynamodb::ops {

Answer<api::DescribeTimeToLiveOutput> describe_time_to_live(const Context& context,
                                                            api::DescribeTimeToLiveInput&& input) {
  DINETTE_TRY(const OpenTable table, open_restored(context, input.table_name));
  const api::TableStatus status = state_at(table.record(), context.now).status;
  if (status == api::TableStatus::creating || status == api::TableStatus::deleting) {
    const std::string state(to_string(status));
    return validation("Cannot describe time to live while table is in " + state +
                      " state: Current table state is " + state);
  }
  const auto& setting = table.record().time_to_live;
  if (!setting)
    return api::DescribeTimeToLiveOutput{api::TimeToLiveDescription{api::TimeToLiveStatus::disabled, {}}};
  return api::DescribeTimeToLiveOutput{
      api::TimeToLiveDescription{api::TimeToLiveStatus::enabled, setting->attribute_name}};
}

}  // namespace dinette::dynamodb::ops
