#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Returns the data folder that --data or -dbPath means; empty if neither was given. DynamoDB Local puts its
/// database among the other files of a folder, so -dbPath may mean a folder inside of that one. Fails if the
/// folder has such a database, whose data would be missed: the error says how to move them.
base::Result<std::string, std::string> place_of_data(const Options& options);

}  // namespace dinette::app
