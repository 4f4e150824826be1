#pragma once

#include "dinette/store/catalog.h"

#include "dynamodb/ops/context.h"

namespace dinette::dynamodb::ops {

/// Has the rows that are older than a new index entered into it, in the background. Writes keep the index
/// from the moment of its creation on and do not wait; it can be read when all rows have been seen.
void build_index(const Context& context, const store::Table& table, store::IndexId index);

}  // namespace dinette::dynamodb::ops
