#pragma once

#include <vector>

#include "lambda/api/mapping_progress.h"
#include "lambda/api/mapping_record.h"
#include "lambda/request/context.h"

namespace dinette::lambda {

/// Returns where a new mapping begins, of which everything but this is known: with LATEST, in each shard
/// after the records that it has now, so that those that follow are not missed (docs/service/triggers.md
/// section 2); else nothing yet. Fails if there is no such stream.
Answer<std::vector<api::MappingProgress>> first_progress(const Context& context,
                                                         const api::MappingRecord& mapping);

}  // namespace dinette::lambda
