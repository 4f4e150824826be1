#pragma once

#include "app/program.h"

namespace dinette::app {

/// See FullProgram::run_command.
int run_command(const Options& options, const DataOpeners& openers);

}  // namespace dinette::app
