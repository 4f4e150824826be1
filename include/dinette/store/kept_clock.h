#pragma once

#include "dinette/base/clock.h"
#include "dinette/kv/engine.h"

/// The setting of a world's clock, in the world's engine, so that it is found again with the data.
namespace dinette::store {

/// Returns the setting that was kept, else the default.
kv::Result<base::ClockSetting> read_clock(const kv::Engine& engine);

/// Keeps the setting, unless the engine forgets everything with the process.
kv::Result<void> keep_clock(kv::Engine& engine, const base::ClockSetting& setting);

}  // namespace dinette::store
