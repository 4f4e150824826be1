#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/kv/error.h"
#include "dinette/store/store.h"

namespace dinette::tenancy {

/// Returns when there is something to do again.
using UpkeepStep = std::function<kv::Result<base::Jobs::Next>(const std::stop_token& stop)>;

/// Returns what a job is called that belongs to the name space of a store.
std::string job_name(const store::Store& store, const std::string& name);

/// Has work done that determines itself what there is to do, such as erasing what is too old, by a job that
/// has this name in the store: at `due`, or earlier if it waits already (base::Jobs::add_once, also for
/// `lasts`). A step that fails is logged and retried.
void run_upkeep(const store::Store& store, base::Jobs& jobs, const std::string& name, base::TimePoint due,
                UpkeepStep step, std::chrono::microseconds lasts = base::Jobs::for_ever);

}  // namespace dinette::tenancy
