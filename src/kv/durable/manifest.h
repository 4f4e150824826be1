#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// The file of a data folder that says what the folder holds; see FORMAT.md.
struct Manifest {
  static constexpr int format = 1;

  struct Engine {
    std::uint64_t folder = 0;  ///< its number
    std::string note;
  };
  std::map<std::string, Engine, std::less<>> engines;  ///< by name
};

/// Returns the sentences of errors about damage that say what to do.
std::string way_back(const std::filesystem::path& folder);

/// Reads the manifest of `folder`, which has one.
Result<Manifest> read_manifest(const std::filesystem::path& folder);

/// Replaces the manifest. When this returns, the disk has the new one; on failure the old one is there.
Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace dinette::kv::durable
