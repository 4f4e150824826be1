#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// What the program has noted about the folder of an engine, in a file next to it. The manifest alone decides
/// which engines are kept. A label says which folders may be deleted, and with the labels a lost manifest is
/// written again; see FORMAT.md.
struct EngineLabel {
  bool temporary = false;  ///< the folder may be deleted, unless the manifest names it
  std::string name = {};   ///< of a kept engine, as in the manifest
  std::string note = {};

  static constexpr const char* extension = ".json";
};

/// Returns the label of `engine`, the folder of an engine; none if there is none that can be read.
std::optional<EngineLabel> read_label(const std::filesystem::path& engine);

/// Writes the label. After a loss of power it may be missing, or as it was before.
Result<void> write_label(const std::filesystem::path& engine, const EngineLabel& label);

void remove_label(const std::filesystem::path& engine);

}  // namespace dinette::kv::durable
