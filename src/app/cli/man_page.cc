#include "app/cli/man_page.h"

#include <optional>
#include <string_view>

#include "app/cli/command_table.h"
#include "app/cli/option_table.h"

namespace dinette::app {
namespace {

using std::string;
using std::string_view;

// Text as troff prints it unchanged. It begins no line, where dots and quotes would be requests.
string escaped(string_view text) {
  string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";  // a dash that can be copied into a shell
    } else {
      result += c;
    }
  }
  return result;
}

string bold(string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

string spelling(string_view dashes_and_name, string_view value) {
  return bold(dashes_and_name) + (value.empty() ? "" : " \\fI" + escaped(value) + "\\fR");
}

string entry_of(const OptionSpec& option) {
  string text = ".TP\n" + spelling(spelling_of(option), option.value);
  if (option.letter != 0) text += ", " + spelling({"-" + string(1, option.letter)}, option.value);
  text += "\n\\&" + escaped(option.help);
  if (!option.fallback.empty()) text += "; default: " + escaped(option.fallback);
  return text + ".\n";
}

string options_of_server() {
  string text;
  std::optional<OptionGroup> group;
  for (const OptionSpec& option : option_table()) {
    if (!is_taken(option.taken_by, TakenBy::serve)) continue;
    if (group != option.group) text += ".SS " + escaped(title_of(option.group)) + "\n";
    group = option.group;
    text += entry_of(option);
  }
  return text;
}

string usage_of(const CommandSpec& command) {
  const string arguments = command.arguments.empty() ? "" : "\\fI" + escaped(command.arguments) + "\\fR\n";
  return ".B dinette " + string(command.name) + "\n" + arguments;
}

string commands() {
  string text;
  for (const CommandSpec& command : command_table()) {
    text += ".SS " + string(command.name) + "\n" + usage_of(command) + ".PP\n\\&" + escaped(command.summary) +
            ".\n";
    if (command.command == Command::serve) continue;  // its options are above
    for (const OptionSpec& option : option_table()) {
      if (is_taken(option.taken_by, command.options)) text += entry_of(option);
    }
  }
  return text;
}

string synopsis() {
  string text = ".B dinette\n[\\fIoptions\\fR]\n";
  for (const CommandSpec& command : command_table()) text += ".br\n" + usage_of(command);
  return text;
}

}  // namespace

string man_page() {
  return R"(.TH DINETTE 1 "" "dinette )" DINETTE_VERSION R"(" "User Commands"
.SH NAME
dinette \- stand\-in for Amazon DynamoDB, for development and tests
.SH SYNOPSIS
)" + synopsis() +
         R"(.SH DESCRIPTION
Serves the API of Amazon DynamoDB, by default on http://127.0.0.1:8000 and without authentication, until it gets
SIGINT or SIGTERM.
Tables are in memory, or with
.B \-\-data
in a folder.
AWS SDKs and the AWS CLI are pointed at it by their endpoint URL; region and keys may be anything.
.SH OPTIONS
)" + options_of_server() +
         R"(.SH COMMANDS
)" + commands() +
         R"(.SH EXIT STATUS
0 for success, 1 for failure, 2 for a wrong command line.
.SH ENVIRONMENT
.B export
and
.B import
sign their requests by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, if they are set.
.SH EXAMPLES
.TP
\fBdinette \-\-port 0\fR
serves on a free port, which is printed.
.TP
\fBdinette \-\-data ./data \-\-durability sync\fR
keeps everything in a folder; an answered write survives a loss of power.
.TP
\fBdinette export http://127.0.0.1:8000 \-\-to ./backup\fR
copies all tables to files.
.TP
\fBaws dynamodb list\-tables \-\-endpoint\-url http://127.0.0.1:8000\fR
points a client at it.
)";
}

}  // namespace dinette::app
