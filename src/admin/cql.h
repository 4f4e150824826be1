#pragma once

#include "admin/call.h"

/// Keyspaces and statements of Amazon Keyspaces.
namespace dinette::admin {

Answer list_keyspaces(State& state, const Call& call);
/// A statement that fails is an answer, too: it says why, and where.
Answer run_cql(State& state, const Call& call);

}  // namespace dinette::admin
