#pragma once

#include <string>

#include "dinette/store/placement.h"

#include "dynamodb/expr/key_condition.h"

namespace dinette::dynamodb {

/// The keys of a partition, whose prefix is `partition`, that meet the clauses of its range attributes: all
/// equalities but for the last one, as expr::match_key lays them out.
store::KeyRange key_range(std::string partition, const expr::KeyClauses& range);

}  // namespace dinette::dynamodb
