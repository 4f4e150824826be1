#pragma once

#include "admin/call.h"

namespace dinette::admin {

Answer get_report(State& state, const Call& call);
Answer put_report(State& state, const Call& call);
Answer delete_report(State& state, const Call& call);

}  // namespace dinette::admin
