#pragma once

#include <string>
#include <vector>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/statements/modification.h"

namespace dinette::cql::statements {

/// Checks how much a batch without conditions writes, as Cassandra does (docs/service-keyspaces/dml.md
/// section 7). Fails if that is too much; returns the warnings otherwise.
Answer<std::vector<std::string>> check_batch_size(grammar::Batch::Type type, const Writes& writes);

}  // namespace dinette::cql::statements
