#pragma once

#include "admin/call.h"

/// The triggers of a world: functions that get the records of streams.
namespace dinette::admin {

Answer list_triggers(State& state, const Call& call);
Answer put_triggers(State& state, const Call& call);
Answer list_deliveries(State& state, const Call& call);
Answer repeat_delivery(State& state, const Call& call);

}  // namespace dinette::admin
