#pragma once

#include <memory>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/instance.h"
#include "dinette/kv/data_folder.h"
#include "dinette/kv/engines.h"
#include "dinette/lambda/pollers.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

// All errors are sentences for the user.

/// Opens a data folder, which belongs to this process until the engines are destroyed, or a database.
/// `settings`: of a folder; a database is read only if a folder would be.
base::Result<std::shared_ptr<kv::Engines>, std::string> open_engines(const DataOpeners& openers,
                                                                     const std::string& place,
                                                                     const kv::DataFolderOptions& settings);

/// Returns the engines that the options name: of the data folder, of the database, or in memory.
base::Result<std::shared_ptr<kv::Engines>, std::string> engines_of(const Options& options,
                                                                   const DataOpeners& openers);

/// See dynamodb::Instance::open(). The worlds also have the streams of Kinesis, and the event source
/// mappings of Lambda, which `pollers` deliver; null: nothing is delivered.
base::Result<std::unique_ptr<dynamodb::Instance>, std::string> open_instance(
    dynamodb::InstanceOptions options, const base::Clock& clock, base::Ids& ids,
    lambda::Pollers* pollers = nullptr);

}  // namespace dinette::app
