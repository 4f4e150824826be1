#include "app/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "dinette/base/log.h"

#include "app/cli/command_line.h"
#include "app/cli/completions.h"
#include "app/cli/help.h"
#include "app/cli/man_page.h"
#include "app/exit_code.h"
#include "app/full_program.h"
#include "app/healthcheck.h"
#include "app/serve/serve.h"

namespace dinette::app {
namespace {

constexpr std::chrono::seconds healthcheck_patience{2};

// For the last lines of the log, if their reader is slow.
constexpr std::chrono::milliseconds log_patience{500};

// Larger blocks, which only large requests need, are mapped separately and return to the system when freed.
// By default, glibc keeps ever larger ones once it has seen them freed. Each of its arenas keeps what its
// threads have freed, so the few threads besides the event loops share one.
void settle_allocator(const Options& options) {
#if defined(__GLIBC__)
  constexpr int large_block = 4 << 20;
  const unsigned loops = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  mallopt(M_MMAP_THRESHOLD, large_block);
  mallopt(M_TRIM_THRESHOLD, 2 * large_block);
  mallopt(M_ARENA_MAX, static_cast<int>(loops + 2));
#endif
}

/// Takes the secrets that may also come from the environment, which other users of the machine cannot list.
void take_secrets(Options& options) {
  const char* const token = std::getenv("DINETTE_ADMIN_TOKEN");
  if (options.admin_token.empty() && token != nullptr) options.admin_token = token;
}

int show(const std::string& text) {
  std::cout << text;
  return exit_success;
}

int report_health(const base::Result<std::string, std::string>& health) {
  if (!health) return report(base::Failure{health.error()});
  return show("dinette: " + *health + "\n");
}

int run(const Options& options, const FullProgram* full) {
  if (is_full_command(options.command)) return full->run_command(options, full->openers);
  switch (options.command) {
    case Command::serve:
      return report(serve(options, full));
    case Command::healthcheck:
      return report_health(
          check_health({options.host, options.port, options.healthcheck_tls}, healthcheck_patience));
    case Command::help:
      return show(serve_help());
    case Command::healthcheck_help:
      return show(healthcheck_help());
    case Command::export_help:
      return show(export_help());
    case Command::import_help:
      return show(import_help());
    case Command::pull_help:
      return show(pull_help());
    case Command::listen_help:
      return show(listen_help());
    case Command::check_help:
      return show(check_help());
    case Command::mcp_help:
      return show(mcp_help());
    case Command::doctor_help:
      return show(doctor_help());
    case Command::tables_help:
      return show(tables_help());
    case Command::policy_help:
      return show(policy_help());
    case Command::row_size_help:
      return show(row_size_help());
    case Command::help_markdown:
      return show(options_markdown());
    case Command::help_man:
      return show(man_page());
    case Command::completions:
      return show(completions(options.shell));
    case Command::version:
      return show(version_text());
    default:
      return exit_usage;
  }
}

}  // namespace

int run_program(std::span<char*> words, const FullProgram* full) try {
  // Writing to a closed connection is an error of that connection, and must not end the program.
  std::signal(SIGPIPE, SIG_IGN);

  const std::vector<std::string_view> arguments(words.begin() + 1, words.end());
  const std::string program = std::filesystem::path(words[0]).filename();
  auto options = parse_command_line(arguments, program);
  if (!options.ok()) {
    std::cerr << "dinette: " << options.error() << "\nTry '" << help_command(arguments) << "'.\n";
    return exit_usage;
  }
  if (full == nullptr && needs_full_program(*options))
    return report(base::Failure{become_full_program(words.data())});
  take_secrets(*options);
  settle_allocator(*options);
  const int code = run(*options, full);
  base::flush_log(log_patience);
  return code;
} catch (const std::exception& error) {
  std::cerr << "dinette: unexpected error: " << error.what() << "\n";
  return exit_failure;
}

}  // namespace dinette::app
