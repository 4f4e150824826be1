#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "dinette/kv/data_folder.h"

#include "kv/durable/manifest.h"

/// The folder `engines` of a data folder: what is in it, and what of it may go.
namespace dinette::kv::durable {

std::filesystem::path engine_folder(const std::filesystem::path& folder, std::uint64_t number);

/// Returns what a sentence calls the world of an engine of that name.
std::string called(std::string_view name);

/// Returns the manifest of a data folder, whose engines all have their folders. The error says how to go on.
/// A folder without engines may be without a manifest: then it is a new one.
Result<Manifest> read_whole_manifest(const std::filesystem::path& folder);

/// Returns what the folders of engines and their labels say that the manifest was. `notice` gets what they do
/// not say.
Manifest rebuilt_manifest(const std::filesystem::path& folder, Notice notice);

/// Removes the folders of engines that were temporary when the last process ended. Those that the manifest
/// does not name, and of which no process noted that they are temporary, get another name (`lost-7`) and
/// stay. Returns the greatest number of an engine.
std::uint64_t tidy_engines(const std::filesystem::path& folder, const Manifest& manifest, Notice notice);

}  // namespace dinette::kv::durable
