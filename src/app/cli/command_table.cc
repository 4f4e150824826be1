#include "app/cli/command_table.h"

#include <algorithm>
#include <iterator>

namespace dinette::app {
namespace {

constexpr CommandSpec all_commands[] = {
    {"serve",
     Command::serve,
     Command::help,
     TakenBy::serve,
     "[options]",
     "serve, as without a command; also: run, start",
     {"run", "start"}},
    {"healthcheck", Command::healthcheck, Command::healthcheck_help, TakenBy::healthcheck, "[URL|HOST:PORT]",
     "check a running server; exits with 0 if it is healthy"},
    {"export", Command::export_tables, Command::export_help, TakenBy::export_tables, "URL|DIR --to FOLDER",
     "copy tables to files; dinette export --help says more"},
    {"import", Command::import_tables, Command::import_help, TakenBy::import_tables, "PATH --into URL|DIR",
     "copy tables from files; dinette import --help says more"},
    {"pull", Command::pull, Command::pull_help, TakenBy::pull, "--from aws|URL --into URL|DIR",
     "copy tables of AWS; dinette pull --help says more"},
    {"listen", Command::listen, Command::listen_help, TakenBy::listen, "--table T --forward-to URL",
     "post changes to a URL; dinette listen --help says more"},
    {"check", Command::check_folder, Command::check_help, TakenBy::check_folder, "DIR",
     "verify data; dinette check --help says more"},
    {"mcp", Command::mcp, Command::mcp_help, TakenBy::mcp, "[URL]",
     "tools for language models; dinette mcp --help says more"},
    {"tables", Command::tables, Command::tables_help, TakenBy::tables, "apply|diff|show FILE...",
     "tables that files define; dinette tables --help says more"},
    {"policy", Command::policy, Command::policy_help, TakenBy::policy, "FILE",
     "explain what policies allow; dinette policy --help says more"},
    {"row-size", Command::row_size, Command::row_size_help, TakenBy::row_size, "FILE",
     "print the size of a row of Amazon Keyspaces"},
    {"doctor", Command::doctor, Command::doctor_help, TakenBy::doctor, "[URL]",
     "find out why clients cannot reach a server"},
    {"help", Command::help, Command::help, TakenBy::none, "[COMMAND]",
     "print the help of a command; without one, this help"},
    {"version", Command::version, Command::help, TakenBy::none, "", "print the version"},
};

}  // namespace

std::span<const CommandSpec> command_table() {
  return all_commands;
}

const CommandSpec* find_command(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* const found = std::ranges::find_if(all_commands, [name](const CommandSpec& command) {
    return command.name == name || std::ranges::find(command.aliases, name) != command.aliases.end();
  });
  return found == std::end(all_commands) ? nullptr : found;
}

}  // namespace dinette::app
