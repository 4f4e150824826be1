#include "app/help.h"

#include <optional>
#include <string_view>

#include "app/option_table.h"

namespace dinette::app {
namespace {

constexpr std::size_t help_column = 28;
constexpr std::size_t line_width = 100;

// "--port N, -port N"; `between` separates the spellings.
std::string spellings(const OptionSpec& option, std::string_view between) {
  std::string text;
  const auto add = [&](const std::string& spelling) {
    if (!text.empty()) text += between;
    text += spelling;
    if (!option.value.empty()) text += " " + std::string(option.value);
  };
  if (!option.name.empty()) add("--" + std::string(option.name));
  if (option.letter != 0) add("-" + std::string(1, option.letter));
  if (!option.local.empty() && option.name.empty()) add("-" + std::string(option.local));
  return text;
}

// Breaks `text` into lines that begin at the help column.
std::string wrapped(std::string_view text) {
  std::string lines;
  const std::size_t width = line_width - help_column;
  while (text.size() > width) {
    const auto cut = text.rfind(' ', width);
    lines.append(text.substr(0, cut)).append("\n").append(help_column, ' ');
    text.remove_prefix(cut + 1);
  }
  return lines.append(text);
}

std::string help_line(const OptionSpec& option) {
  std::string line = "  " + spellings(option, ", ");
  if (line.size() + 2 > help_column) line += "\n" + std::string(help_column, ' ');
  line.resize(std::max(line.size(), help_column), ' ');
  std::string text(option.help);
  if (!option.fallback.empty()) text += " [" + std::string(option.fallback) + "]";
  return line + wrapped(text) + "\n";
}

std::string options_of(TakenBy command) {
  std::string text;
  std::optional<OptionGroup> group;
  for (const auto& option : option_table()) {
    if (option.taken_by != command && option.taken_by != TakenBy::both) continue;
    if (command == TakenBy::serve && group != option.group) {
      text += "\n" + std::string(title_of(option.group)) + ":\n";
      group = option.group;
    }
    text += help_line(option);
  }
  return text;
}

}  // namespace

std::string serve_help() {
  return R"(Dinette serves DynamoDB's API from this machine, for development and tests.

Usage:
  dinette [options]               serve until interrupted
  dinette healthcheck [options]   check a running server; exits with 0 if it is healthy

Examples:
  dinette                                      on http://127.0.0.1:8000, no authentication
  dinette --port 0                             on a free port, printed when ready
  dinette --host 0.0.0.0 --tls-self-signed     on every network, with TLS
  dinette --auth verify --credentials keys.ini --isolate account,region
  dinette -inMemory -sharedDb -port 8000       as DynamoDB Local is started

Point a client at it:
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
)" + options_of(TakenBy::serve);
}

std::string healthcheck_help() {
  return R"(Checks a running Dinette. Exits with 0 if it is healthy and with 1 if not.

Usage:
  dinette healthcheck [options]

)" + options_of(TakenBy::healthcheck);
}

std::string options_markdown() {
  std::string text = "| option | default | |\n|---|---|---|\n";
  for (const auto& option : option_table()) {
    if (option.taken_by == TakenBy::healthcheck) continue;
    text += "| `" + spellings(option, "`, `") + "` | ";
    if (!option.fallback.empty()) text += "`" + std::string(option.fallback) + "`";
    text += " | " + std::string(option.help) + " |\n";
  }
  return text;
}

std::string version_text() {
  return "dinette " DINETTE_VERSION "\n";
}

}  // namespace dinette::app
