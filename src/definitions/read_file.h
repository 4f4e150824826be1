#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dinette::definitions {

/// Reads a regular file. Nothing: there is none, it cannot be read, or it is longer than ReadLimits allow.
std::optional<std::string> read_regular_file(const std::filesystem::path& file);

/// Returns true if `file` is in `folder` or in a folder of it, links followed.
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace dinette::definitions
