#pragma once

#include <functional>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"
#include "app/transfer/operations.h"

namespace dinette::app {

/// What opens data folders may be null if the options name none.
///
/// Exports tables as the options say, and prints what was exported. The error is a sentence for the user.
base::Result<void, std::string> run_export(const Options& options, const DataOpeners& openers);

/// Imports tables as the options say, and prints what was imported. The error is a sentence for the user.
base::Result<void, std::string> run_import(const Options& options, const DataOpeners& openers);

/// Imports every table of a folder, and logs what was imported. `existing`: what happens to tables that are
/// there, and that the folder says how to create. The error is a sentence for the user.
base::Result<void, std::string> load_tables(Operations& operations, const std::string& folder,
                                            Existing existing, const base::Clock& clock, base::Ids& ids,
                                            std::function<bool()> interrupted);

}  // namespace dinette::app
