#pragma once

#include <filesystem>

#include "kv/durable/database.h"

namespace dinette::kv::durable {

/// Makes a data folder one that opens, from what can be read of it: writes the manifest again, and ends logs
/// where they are damaged. What it leaves out is copied into a new folder `dropped-1` (-2, ...) of it, and
/// reported to settings.notice. Fails if that is not enough. The folder must not be in use.
Result<void> repair_folder(const std::filesystem::path& folder, const DatabaseSettings& settings);

}  // namespace dinette::kv::durable
