#include "app/cli/completions.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/command_table.h"
#include "app/cli/option_table.h"

namespace dinette::app {
namespace {

using std::string;
using std::string_view;

// The words that an option takes, for options that do not take any others.
constexpr std::pair<string_view, string_view> choices[] = {
    {"as", "cloudformation terraform cli workbench json"},
    {"auth", "none present verify"},
    {"completions", "bash zsh fish"},
    {"durability", "process sync"},
    {"isolate", "account region account,region"},
    {"format", "csv json dynamodb-json"},
    {"log-format", "text json"},
    {"log-level", "off error warn info debug"},
    {"quotas", "none service"},
    {"throttle", "none service"},
    {"transaction-conflicts", "wait service"},
    {"validation", "region older newer"},
};

string_view choices_of(const OptionSpec& option) {
  const auto* const found =
      std::ranges::find(choices, option.name, &std::pair<string_view, string_view>::first);
  return found == std::end(choices) ? string_view() : found->second;
}

bool takes_folder(string_view value) {
  return value == "FOLDER" || value.ends_with("DIR");
}

bool takes_file(string_view value) {
  return value == "FILE" || value == "[FILE]" || value == "PATH";
}

std::vector<OptionSpec> specs_of(TakenBy command) {
  std::vector<OptionSpec> taken;
  std::ranges::copy_if(option_table(), std::back_inserter(taken),
                       [&](const OptionSpec& option) { return is_taken(option.taken_by, command); });
  return taken;
}

// Without the hint at another help.
string_view first_sentence(string_view text) {
  return text.substr(0, text.find(';'));
}

string names_of_commands(std::optional<Command> without = std::nullopt) {
  string names;
  for (const CommandSpec& command : command_table()) {
    if (command.command != without) names.append(names.empty() ? "" : " ").append(command.name);
  }
  return names;
}

// The words that may follow a command; empty: none, or others.
string words_after(Command command) {
  if (command == Command::help) return names_of_commands();
  return command == Command::tables ? "apply diff show" : "";
}

// In single quotes, for bash and zsh.
string shell_quoted(string_view text) {
  string result = "'";
  for (const char c : text) result += c == '\'' ? string("'\\''") : string(1, c);
  return result + "'";
}

// bash

// The branch of a `case` for what follows an option; empty if that may be anything.
string bash_value(const OptionSpec& option) {
  const auto branch = [&](const string& action) {
    return "    " + spelling_of(option) + ") " + action + " ;;\n";
  };
  if (!choices_of(option).empty()) return branch("words " + shell_quoted(choices_of(option)));
  if (takes_folder(option.value)) return branch("COMPREPLY=($(compgen -d -- \"$word\"))");
  if (has_optional_value(option)) return "";  // then another option may follow, or a file
  if (takes_file(option.value)) return branch("COMPREPLY=($(compgen -f -- \"$word\"))");
  return option.value.empty() ? "" : branch(":");
}

string bash_branch(string_view pattern, TakenBy command, const string& more_words) {
  string values;
  string words;
  for (const OptionSpec& option : specs_of(command)) {
    values += bash_value(option);
    words += spelling_of(option) + " ";
  }
  return string(pattern) + ")\n  case $previous in\n" + values + "    *) words " +
         shell_quoted(words + more_words) + " ;;\n  esac\n  ;;\n";
}

string bash_completions() {
  string text = R"(# Completions of dinette for bash.
_dinette() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  words() {
    COMPREPLY=($(compgen -W "$1" -- "$word"))
    [[ $word == -* || ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$word"))
  }
  [ "$COMP_CWORD" -gt 1 ] || command=
  case $command in
)";
  for (const CommandSpec& command : command_table())
    text += bash_branch(command.name, command.options, words_after(command.command));
  return text + bash_branch("*", TakenBy::serve, names_of_commands()) +
         "  esac\n  unset -f words\n}\ncomplete -o filenames -F _dinette dinette\n";
}

// zsh

string zsh_option(const OptionSpec& option) {
  string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == '\\') help += '\\';
    help += c;
  }
  string text = spelling_of(option) + "[" + help + "]";
  if (option.value.empty()) return text;
  text += (has_optional_value(option) ? "::" : ":") + string(option.value) + ":";
  if (!choices_of(option).empty()) return text + "(" + string(choices_of(option)) + ")";
  if (takes_folder(option.value)) return text + "_files -/";
  if (takes_file(option.value)) return text + "_files";
  return text + " ";
}

string zsh_branch(string_view pattern, TakenBy command, const string& words) {
  string text = "  " + string(pattern) + ")\n    _arguments";
  for (const OptionSpec& option : specs_of(command)) text += " \\\n      " + shell_quoted(zsh_option(option));
  if (!words.empty()) text += " \\\n      " + shell_quoted(words);
  if (command == TakenBy::tables) text += " \\\n      '*:FILE:_files'";
  return text + "\n    ;;\n";
}

/// Returns what follows the name of a command, apart from options; empty for nothing.
string zsh_argument(const CommandSpec& command) {
  const string words = words_after(command.command);
  if (!words.empty()) return "1:command:(" + words + ")";
  const bool is_named = !command.arguments.empty() && command.command != Command::serve;
  return is_named ? ":" + string(command.arguments) + ":_files" : "";
}

string zsh_completions() {
  string text = R"(#compdef dinette
# Completions of dinette for zsh.
local command=$words[2]
if (( CURRENT == 2 )); then
  command=
elif [[ " )" + names_of_commands() +
                R"( " == *" $command "* ]]; then
  shift words
  (( CURRENT-- ))
fi
case $command in
)";
  for (const CommandSpec& command : command_table())
    text += zsh_branch(command.name, command.options, zsh_argument(command));
  return text + zsh_branch("*", TakenBy::serve, "1:command:(" + names_of_commands() + ")") + "esac\n";
}

// fish

string fish_quoted(string_view text) {
  string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

string fish_option(const OptionSpec& option, const string& condition) {
  string text = "complete -c dinette -n " + fish_quoted(condition);
  text += option.name.empty() ? " -o " + string(option.local) : " -l " + string(option.name);
  if (option.letter != 0) text += " -s " + string(1, option.letter);
  if (!choices_of(option).empty()) {
    text += " -x -a " + fish_quoted(choices_of(option));
  } else if (takes_folder(option.value)) {
    text += " -x -a '(__fish_complete_directories)'";
  } else if (takes_file(option.value)) {
    text += has_optional_value(option) ? " -F" : " -r -F";
  } else if (!option.value.empty()) {
    text += " -x";
  }
  return text + " -d " + fish_quoted(option.help) + "\n";
}

string fish_completions() {
  // The options of the server are also those of its name, which would only repeat them.
  const string no_command = "not __fish_seen_subcommand_from " + names_of_commands(Command::serve);
  string text =
      "# Completions of dinette for fish.\ncomplete -c dinette -n " + fish_quoted(no_command) + " -f\n";
  for (const OptionSpec& option : specs_of(TakenBy::serve)) text += fish_option(option, no_command);
  for (const CommandSpec& command : command_table()) {
    text += "complete -c dinette -n __fish_use_subcommand -f -a " + string(command.name) + " -d " +
            fish_quoted(first_sentence(command.summary)) + "\n";
    const string seen = "__fish_seen_subcommand_from " + string(command.name);
    if (const string words = words_after(command.command); !words.empty())
      text += "complete -c dinette -n " + fish_quoted(seen) +
              (command.command == Command::help ? " -f" : "") + " -a " + fish_quoted(words) + "\n";
    if (command.command == Command::serve) continue;
    for (const OptionSpec& option : specs_of(command.options)) text += fish_option(option, seen);
  }
  return text;
}

}  // namespace

string completions(Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_completions();
    case Shell::zsh:
      return zsh_completions();
    case Shell::fish:
      return fish_completions();
  }
  return "";
}

}  // namespace dinette::app
