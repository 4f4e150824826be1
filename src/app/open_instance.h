#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/instance.h"
#include "dinette/kv/data_folder.h"
#include "dinette/kv/engines.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

// All errors are sentences for the user.

/// Opens a data folder, which belongs to this process until the engines are destroyed.
base::Result<std::shared_ptr<kv::Engines>, std::string> open_engines(OpenDataFolder open_data_folder,
                                                                     const std::filesystem::path& folder,
                                                                     const kv::DataFolderOptions& settings);

/// Returns the engines that the options name: of the data folder, or in memory. `open_data_folder` may be
/// null if they name no folder.
base::Result<std::shared_ptr<kv::Engines>, std::string> engines_of(const Options& options,
                                                                   OpenDataFolder open_data_folder);

/// See dynamodb::Instance::open(). The worlds also have the streams of Kinesis.
base::Result<std::unique_ptr<dynamodb::Instance>, std::string> open_instance(
    dynamodb::InstanceOptions options, const base::Clock& clock, base::Ids& ids);

}  // namespace dinette::app
