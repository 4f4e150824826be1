#pragma once

#include <optional>

#include "dinette/tenancy/faults.h"

#include "cql/frames/requests.h"
#include "cql/wire/call.h"
#include "cql/wire/runner.h"

/// Faults that tests inject into requests (docs/faults.md).
namespace dinette::cql::wire {

/// Asks the rules of the world about a request: its operation as logs name it, and its tables as
/// "keyspace.table".
std::optional<tenancy::FaultHit> find_fault(const Place& place, Runner& runner,
                                            const frames::Request& request);

/// Returns true if the delay of the fault is still to come.
bool is_delayed(const Call& call);

/// Fails with the error that a rule orders, if it does. A connection that is dropped gets one that is not
/// sent.
Answer<void> end_of(const tenancy::FaultHit& hit);

}  // namespace dinette::cql::wire
