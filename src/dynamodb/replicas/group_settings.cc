#include "dynamodb/replicas/group_settings.h"

#include <memory>
#include <utility>

#include "dinette/base/log.h"

#include "dynamodb/replicas/members.h"

namespace dinette::dynamodb {
namespace {

/// Returns what the other regions are to do; nothing of what belongs to one replica.
api::UpdateTableInput for_others(const api::UpdateTableInput& input) {
  api::UpdateTableInput others = input;
  others.deletion_protection_enabled.reset();
  others.disassociation_protection_enabled.reset();
  others.global_table_settings_replication_mode.reset();
  others.stream_specification.reset();
  if (others.sse_specification) others.sse_specification->kms_master_key_id.reset();
  return others;
}

bool changes_something(const api::UpdateTableInput& input) {
  return input.billing_mode || input.provisioned_throughput || input.global_secondary_index_updates ||
         input.vector_index_updates || input.sse_specification || input.table_class ||
         input.on_demand_throughput || input.warm_throughput;
}

}  // namespace

void for_each_other_replica(const Context& context, const api::TableRecord& record,
                            const std::function<Answer<void>(const Context& other)>& edit) {
  if (!record.replication || !record.replication->log_id) return;
  for (const api::ReplicaMember& member : record.replication->members) {
    if (member.witness) continue;
    const std::shared_ptr<store::Store> store = store_of(context.world, member.region);
    Context other{.world = context.world,
                  .store = *store,
                  .jobs = context.jobs,
                  .now = context.now,
                  .expressions = context.expressions,
                  .settings = context.settings,
                  .account = context.account,
                  .region = member.region,
                  .host = context.host,
                  .progress = context.progress};
    const auto edited = edit(other);
    if (edited) continue;
    base::log(base::LogLevel::warn, "a replica has not taken a change of its table",
              {{"table", record.table_name}, {"region", member.region}, {"reason", edited.error().message}});
  }
}

void update_other_replicas(
    const Context& context, const api::TableRecord& record, const api::UpdateTableInput& input,
    const std::function<Answer<void>(const Context&, api::UpdateTableInput&&)>& update) {
  const api::UpdateTableInput others = for_others(input);
  if (!changes_something(others)) return;
  for_each_other_replica(context, record, [&](const Context& other) -> Answer<void> {
    api::UpdateTableInput mine = others;
    mine.table_name = record.table_name;
    return update(other, std::move(mine));
  });
}

}  // namespace dinette::dynamodb
