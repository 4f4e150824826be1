#include "app/full_program.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "app/serve/first_tables.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "dinette-full";

/// Returns the program next to this one, as it is built, or else where it is installed.
fs::path full_program() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path built = folder / program_name;
  return fs::exists(built, ignored) ? built : folder.parent_path() / "libexec" / program_name;
}

}  // namespace

bool is_full_command(Command command) {
  switch (command) {
    case Command::export_tables:
    case Command::import_tables:
    case Command::pull:
    case Command::listen:
    case Command::check_folder:
    case Command::mcp:
    case Command::doctor:
    case Command::tables:
    case Command::policy:
    case Command::row_size:
      return true;
    default:
      return false;
  }
}

bool needs_full_program(const Options& options) {
  const bool serves_files =
      !options.data_folder.empty() || !options.store.empty() || has_first_tables(options);
  return is_full_command(options.command) || (options.command == Command::serve && serves_files);
}

std::string become_full_program(char** words) {
  const fs::path program = full_program();
  execv(program.c_str(), words);
  return "data folders, databases, files of tables and most commands need the program " + program.string() +
         ", which cannot be started: " + std::strerror(errno) +
         "; it is installed together with dinette, and `scripts/run` builds it when its arguments need it";
}

}  // namespace dinette::app
