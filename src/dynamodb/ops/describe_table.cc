#include "dynamodb/api/describe_table.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/describe_replicas.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::ops {

Answer<api::DescribeTableOutput> describe_table(const Context& context, api::DescribeTableInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  const codec::Timestamp moment = context.now;
  const TableState state = state_at(table.record(), moment);
  DINETTE_TRY(TableCounts counts, count_items(context, *table.table));
  const Shown shown{state.status, state.settings, moment, std::move(counts),
                    state.changing() ? &state.target : nullptr};
  const bool deleting = state.status == api::TableStatus::deleting;
  api::DescribeTableOutput output{deleting ? describe_deleted(table.schema(), shown)
                                           : describe(table.schema(), shown)};
  if (!deleting)
    describe_replicas(table.record(), context.region, moment, ReplicaChanges::shown, *output.table);
  return output;
}

}  // namespace dinette::dynamodb::ops
