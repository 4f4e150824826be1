#pragma once

#include <filesystem>
#include <memory>

#include "dinette/kv/data_folder.h"

namespace dinette::test {

/// Returns the engine that the data folder keeps under "", or an empty one that it keeps from now on.
std::unique_ptr<kv::Engine> open_durable_engine(const std::filesystem::path& folder,
                                                const kv::DataFolderOptions& options);

/// Returns an empty engine in a folder that is removed with it.
std::unique_ptr<kv::Engine> make_durable_engine(const kv::DataFolderOptions& options);

/// Returns the newest log of the only engine of a data folder.
std::filesystem::path durable_engine_log(const std::filesystem::path& folder);

}  // namespace dinette::test
