#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "lambda/api/mapping_record.h"

namespace dinette::lambda {

/// Erases a mapping that is being deleted once this is over. For mappings that nothing polls.
void finish_deletion_later(store::Store& store, base::Jobs& jobs, const api::MappingRecord& mapping);

/// Resumes the unfinished deletions of a world.
void resume(tenancy::World& world);

}  // namespace dinette::lambda
