#include "lambda/mappings/deletion.h"

#include <stop_token>
#include <string>

#include "dinette/base/log.h"
#include "dinette/tenancy/upkeep.h"

#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/request/context.h"

namespace dinette::lambda {
namespace {

void resume_deletions(store::Store& store, base::Jobs& jobs) {
  const auto looked = KeptMappings(store).for_each("", [&](const api::MappingRecord& mapping) {
    if (!holds_pair(mapping)) finish_deletion_later(store, jobs, mapping);
    return true;
  });
  if (!looked) {
    base::log(base::LogLevel::error, "unfinished work could not be looked for",
              {{"reason", looked.error().message}});
  }
}

/// What cannot be read is found by those who read it.
bool may_have_mappings(store::Store& store) {
  bool any = false;
  const auto looked = KeptMappings(store).for_each("", [&](const api::MappingRecord&) {
    any = true;
    return false;
  });
  return any || !looked;
}

}  // namespace

void finish_deletion_later(store::Store& store, base::Jobs& jobs, const api::MappingRecord& mapping) {
  tenancy::run_upkeep(store, jobs, "deletion of the event source mapping " + mapping.uuid,
                      mapping.transition->until.time(),
                      [&store, uuid = mapping.uuid](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_CHECK(KeptMappings(store).remove(uuid));
                        return base::Jobs::done;
                      });
}

void resume(tenancy::World& world) {
  for (store::Store* const store : world.stores(face_id)) {
    if (!may_have_mappings(*store)) continue;
    const auto step = [store, &jobs = world.jobs()](const std::stop_token&) -> base::Jobs::Next {
      resume_deletions(*store, jobs);
      return base::Jobs::done;
    };
    world.jobs().add(base::Jobs::at_once, step);
  }
}

}  // namespace dinette::lambda
