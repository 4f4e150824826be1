#pragma once

#include "app/program.h"

namespace dinette::app {

/// See FullProgram::run_command.
int run_command(const Options& options, OpenDataFolder open_data_folder);

}  // namespace dinette::app
