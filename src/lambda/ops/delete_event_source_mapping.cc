#include "lambda/api/delete_event_source_mapping.h"

#include "lambda/api/mapping_record.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/deletion.h"
#include "lambda/mappings/description.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/open_mapping.h"

// docs/service/triggers.md section 1.2.
namespace dinette::lambda::ops {
namespace {

/// Erases the mapping, now or when its state is over, unless what polls it does.
Answer<void> finish_deletion(const Context& context, const api::MappingRecord& mapping) {
  if (context.has_pollers()) return {};
  if (context.state_delay.count() > 0) {
    finish_deletion_later(context.store, context.world.jobs(), mapping);
    return {};
  }
  if (const auto removed = KeptMappings(context.store).remove(mapping.uuid); !removed)
    return storage_failure(removed.error());
  return {};
}

}  // namespace

Answer<api::DeleteEventSourceMappingOutput> delete_event_source_mapping(
    const Context& context, api::DeleteEventSourceMappingInput&& input) {
  const auto mark = [&](api::MappingRecord& mapping) -> Answer<void> {
    begin_transition(mapping, api::MappingState::deleting, context.now, context.state_delay);
    return {};
  };
  DINETTE_TRY(const api::MappingRecord mapping, change_mapping(context, input.uuid, "delete", mark));
  DINETTE_CHECK(finish_deletion(context, mapping));
  announce_change(context, mapping.uuid);
  return describe_change(mapping);
}

}  // namespace dinette::lambda::ops
