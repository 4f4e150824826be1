#pragma once

#include "dinette/kv/engine.h"
#include "dinette/tenancy/region_links.h"

/// What a test makes of the regions of a world, in the world's engine if several servers share it: a server
/// that starts has what the others have. Elsewhere a restart heals everything.
namespace dinette::tenancy {

/// Returns the setting that was kept, else the one of whole links and right clocks.
kv::Result<RegionSetting> read_regions(const kv::Engine& engine);

/// Keeps the setting, unless the engine is of this process alone.
kv::Result<void> keep_regions(kv::Engine& engine, const RegionSetting& setting);

}  // namespace dinette::tenancy
