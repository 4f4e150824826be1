#pragma once

#include "variables.h"

namespace dinette::definitions::serverless {

/// Adds the seeds that serverless-dynamodb and serverless-dynamodb-local would put into tables at their
/// start.
void add_seeds(const Node& service, Variables& variables, const Input& input, Definitions& to);

}  // namespace dinette::definitions::serverless
