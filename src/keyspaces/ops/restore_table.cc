#include "keyspaces/api/restore_table.h"

#include "dinette/base/time_text.h"

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {
namespace {

/// Fails with ResourceNotFoundException if there is no table of that name, and none that was dropped can be
/// restored.
Answer<void> find_source(const Context& context, std::string_view keyspace, std::string_view table) {
  DINETTE_KEYSPACES_DEFINED(const bool found, cql::can_restore(context.scope, keyspace, table));
  if (!found) DINETTE_CHECK(open_table(context, keyspace, table));
  return {};
}

}  // namespace

Answer<api::RestoreTableOutput> restore_table(const Context& context, api::RestoreTableInput&& input) {
  DINETTE_CHECK(find_source(context, input.source_keyspace_name, input.source_table_name));
  DINETTE_CHECK(open_keyspace(context, input.target_keyspace_name));
  CqlProperties properties;
  if (input.restore_timestamp)
    properties.add("restore_timestamp", quoted_text(base::format_time(input.restore_timestamp->time())));
  add_settings({.capacity = &input.capacity_specification_override,
                .encryption = &input.encryption_specification_override,
                .recovery = &input.point_in_time_recovery_override,
                .scaling = &input.auto_scaling_specification,
                .replicas = &input.replica_specifications},
               properties);
  if (input.tags_override) properties.add("tags", map_of(*input.tags_override));
  DINETTE_CHECK(
      define(context, "RESTORE TABLE " + quoted_name(input.target_keyspace_name, input.target_table_name) +
                          " FROM TABLE " + quoted_name(input.source_keyspace_name, input.source_table_name) +
                          properties.cql()));
  DINETTE_TRY(const auto restored, open_table(context, input.target_keyspace_name, input.target_table_name));
  return api::RestoreTableOutput{restored.arn};
}

}  // namespace dinette::keyspaces::ops
