#pragma once

#include "admin/call.h"

/// The streams of tables.
namespace dinette::admin {

/// Splits the open shards of a table's stream, which the service does when many records come.
Answer split_shards(State& state, const Call& call);

}  // namespace dinette::admin
