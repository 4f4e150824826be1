#include "dynamodb/tables/new_table.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/resource_policy.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_throughput.h"
#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb {
namespace {

api::TableSettings settings_of(const Context& context, const api::CreateTableInput& input) {
  api::TableSettings settings;
  settings.billing_mode = input.billing_mode;
  if (settings.billing_mode == api::BillingMode::pay_per_request)
    settings.last_update_to_pay_per_request = context.now;
  if (input.provisioned_throughput) settings.provisioned_throughput = *input.provisioned_throughput;
  settings.on_demand_throughput = unless_empty(input.on_demand_throughput);
  settings.warm_throughput = input.warm_throughput;
  settings.table_class = input.table_class;
  settings.kms_master_key_arn = key_arn(context, input.sse_specification);
  settings.deletion_protection_enabled = input.deletion_protection_enabled;
  return settings;
}

void add_indexes(api::TableRecord& record, const api::CreateTableInput& input) {
  if (input.local_secondary_indexes) {
    for (const auto& index : *input.local_secondary_indexes)
      record.local_secondary_indexes.push_back({++record.last_index_id, index});
  }
  if (input.vector_indexes) {
    for (const auto& index : *input.vector_indexes) {
      record.settings.vector_indexes.push_back(
          {++record.last_index_id, index, api::IndexStatus::active, false});
    }
  }
  if (!input.global_secondary_indexes) return;
  for (const auto& index : *input.global_secondary_indexes) {
    auto& added = record.settings.global_secondary_indexes.emplace_back();
    added = {++record.last_index_id, index, api::IndexStatus::active, false, {}};
    added.definition.on_demand_throughput = unless_empty(index.on_demand_throughput);
  }
}

}  // namespace

api::TableRecord new_table(const Context& context, const api::CreateTableInput& input) {
  api::TableRecord record;
  record.table_name = table_name_of(input.table_name).value_or(input.table_name);
  record.table_id = context.store.ids().uuid();
  record.account = context.account;
  record.region = context.region;
  record.created = context.now;
  record.attribute_definitions = input.attribute_definitions;
  record.key_schema = input.key_schema;
  if (input.tags) add_tags(record.tags, *input.tags);
  if (input.resource_policy) set_policy(record, *input.resource_policy, context.now);
  record.settings = settings_of(context, input);
  if (record.settings.last_update_to_pay_per_request)
    record.switches_to_on_demand.push_back(*record.settings.last_update_to_pay_per_request);
  add_indexes(record, input);
  const codec::Timestamp until = record.created + context.settings.state_delay;
  record.transition =
      api::TableTransition{api::TableStatus::creating, until, record.settings, false, record.created};
  return record;
}

}  // namespace dinette::dynamodb
