#pragma once

#include <span>

#include "dinette/kv/data_folder.h"
#include "dinette/kv/postgres.h"

#include "app/options.h"
#include "app/serve/first_tables.h"

namespace dinette::app {

/// kv::open_data_folder, which brings RocksDB with it, or null in the program without it.
using OpenDataFolder = decltype(&kv::open_data_folder);

/// kv::open_postgres, or null in the program without it.
using OpenPostgres = decltype(&kv::open_postgres);

/// What opens the places where data are kept; a program may lack either.
struct DataOpeners {
  OpenDataFolder folder = nullptr;
  OpenPostgres database = nullptr;
};

/// What `dinette-full` has and `dinette` has not: thus the program that most people start most of the time
/// is small, starts fast, and is built soon.
struct FullProgram {
  DataOpeners openers;
  MakeFirstTables make_first_tables;
  /// Executes the options' command, for which is_full_command() is true. Returns the exit code.
  int (*run_command)(const Options& options, const DataOpeners& openers);
};

/// Executes the command line `words` for main, the program's name first and a null pointer last. Returns the
/// exit code. If `full` is null and the options ask for what it has, `dinette-full` does all of it instead of
/// this program.
int run_program(std::span<char*> words, const FullProgram* full);

}  // namespace dinette::app
