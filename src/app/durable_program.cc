#include "app/durable_program.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "app/called_server.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "dinette-durable";

/// Returns the program next to this one, as it is built, or else where it is installed.
fs::path durable_program() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path built = folder / program_name;
  return fs::exists(built, ignored) ? built : folder.parent_path() / "libexec" / program_name;
}

/// Returns true if that is named, and not by a URL.
bool is_folder(const std::string& place) {
  return !place.empty() && !is_url(place);
}

}  // namespace

bool needs_data_folder(const Options& options) {
  switch (options.command) {
    case Command::serve:
    case Command::mcp:
      return !options.data_folder.empty();
    case Command::export_tables:
      return !is_url(options.source);
    case Command::import_tables:
      return !is_url(options.destination);
    case Command::pull:
      return !is_url(options.destination) && !options.format;
    case Command::check_folder:
      return true;
    case Command::tables:
      return is_folder(options.destination) || is_folder(options.table_command.from);
    default:
      return false;
  }
}

std::string become_durable(char** words) {
  const fs::path program = durable_program();
  execv(program.c_str(), words);
  return "data folders need the program " + program.string() +
         ", which cannot be started: " + std::strerror(errno) +
         "; it is installed together with dinette, and `scripts/run --data FOLDER` builds it";
}

}  // namespace dinette::app
