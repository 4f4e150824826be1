#pragma once

#include <optional>
#include <string>

#include "dynamodb/partiql/bound.h"
#include "dynamodb/partiql/read_source.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb::partiql {

/// Returns the key of the one item that a SELECT reads, if that is all its WHERE says; none if it says less
/// or more, or names an index. Refuses what ExecuteStatement refuses in such a read.
Answer<std::optional<model::Item>> key_to_read(const Bound& bound, const ReadSource& source);

}  // namespace dinette::dynamodb::partiql
