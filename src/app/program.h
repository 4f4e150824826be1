#pragma once

#include <span>

#include "dinette/kv/data_folder.h"

namespace dinette::app {

/// kv::open_data_folder, which brings RocksDB with it, or null in the program without it.
using OpenDataFolder = decltype(&kv::open_data_folder);

/// Executes the command line `words` for main, the program's name first and a null pointer last. Returns the
/// exit code. If `open_data_folder` is null and a data folder is to be opened, `dinette-durable` does all of
/// it instead of this program.
int run_program(std::span<char*> words, OpenDataFolder open_data_folder);

}  // namespace dinette::app
