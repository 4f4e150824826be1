#pragma once

#include "dinette/cql/prompt.h"

#include "cql/wire/endpoint.h"

namespace dinette::cql::wire {

/// Carries out a statement as the QUERY of a client that has not logged in. Waits for what it needs.
Prompted<PromptAnswer> run_prompt(Endpoint& endpoint, const PromptStatement& statement);

}  // namespace dinette::cql::wire
