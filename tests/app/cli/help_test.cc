#include "app/cli/help.h"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "app/cli/command_table.h"
#include "app/cli/completions.h"
#include "app/cli/man_page.h"
#include "app/cli/option_table.h"

namespace dinette::app::help_test {
namespace {

TEST_CASE("no spelling occurs twice in a command") {
  const TakenBy command =
      GENERATE(TakenBy::serve, TakenBy::healthcheck, TakenBy::export_tables, TakenBy::import_tables,
               TakenBy::pull, TakenBy::check_folder, TakenBy::mcp, TakenBy::doctor, TakenBy::tables,
               TakenBy::policy, TakenBy::row_size, TakenBy::none);
  std::map<std::string, int> spellings;
  for (const auto& option : option_table()) {
    if (!is_taken(option.taken_by, command)) continue;
    if (!option.name.empty()) ++spellings["--" + std::string(option.name)];
    if (!option.local.empty()) ++spellings["-" + std::string(option.local)];
    if (option.letter != 0) ++spellings["-" + std::string(1, option.letter)];
  }
  for (const auto& [spelling, count] : spellings) {
    INFO(spelling);
    CHECK(count == 1);
  }
}

bool has_line(const std::string& help, const std::string& spelling) {
  const std::regex line("\n  " + spelling + "[ ,\n]");
  return std::regex_search(help, line);
}

TEST_CASE("the help names every option of its command") {
  const std::map<TakenBy, std::string> helps{{TakenBy::serve, serve_help()},
                                             {TakenBy::healthcheck, healthcheck_help()},
                                             {TakenBy::export_tables, export_help()},
                                             {TakenBy::import_tables, import_help()},
                                             {TakenBy::pull, pull_help()},
                                             {TakenBy::listen, listen_help()},
                                             {TakenBy::check_folder, check_help()},
                                             {TakenBy::mcp, mcp_help()},
                                             {TakenBy::doctor, doctor_help()},
                                             {TakenBy::tables, tables_help()},
                                             {TakenBy::policy, policy_help()},
                                             {TakenBy::row_size, row_size_help()}};
  for (const auto& option : option_table()) {
    const auto spelling = spelling_of(option);
    INFO(spelling);
    for (const auto& [command, help] : helps) {
      // An option of several commands may have a row for each, with a help of its own.
      const bool taken = std::ranges::any_of(option_table(), [&, by = command](const OptionSpec& row) {
        return spelling_of(row) == spelling && is_taken(row.taken_by, by);
      });
      CHECK(has_line(help, spelling) == taken);
    }
  }
}

TEST_CASE("the help lists every command, and every other name of one") {
  for (const CommandSpec& command : command_table()) {
    INFO(command.name);
    CHECK(has_line(serve_help(), "dinette " + std::string(command.name)));
    for (const std::string_view alias : command.aliases) CHECK(serve_help().find(alias) != std::string::npos);
  }
}

TEST_CASE("no name of a command occurs twice") {
  std::map<std::string_view, int> names;
  for (const CommandSpec& command : command_table()) {
    ++names[command.name];
    for (const std::string_view alias : command.aliases) {
      if (!alias.empty()) ++names[alias];
    }
  }
  for (const auto& [name, count] : names) {
    INFO(name);
    CHECK(count == 1);
    CHECK(find_command(name) != nullptr);
  }
}

TEST_CASE("the manual page and fish have the server's options once") {
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  };
  CHECK(count(man_page(), "\\-\\-durability\\fR ") == 1);
  CHECK(count(completions(Shell::fish), " -l durability ") == 1);
}

TEST_CASE("the help of healthcheck does not describe the server") {
  CHECK(healthcheck_help().find("for every network") == std::string::npos);
  CHECK(healthcheck_help().find("takes a free one") == std::string::npos);
}

TEST_CASE("the help fits a terminal of a hundred columns") {
  std::istringstream lines(serve_help() + healthcheck_help() + export_help() + import_help() + check_help() +
                           pull_help() + listen_help() + mcp_help() + doctor_help() + tables_help() +
                           policy_help() + row_size_help());
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("the table for docs/options.md has a row for each of the server's options") {
  const auto table = options_markdown();
  CHECK(table.find("| `--port N` | `8000` | port to listen on") != std::string::npos);
  CHECK(table.find("| `--help`, `-h` |") != std::string::npos);
  CHECK(table.find("| `-inMemory` |") != std::string::npos);
  CHECK(table.find("| `--load PATH` |") != std::string::npos);
  CHECK(table.find("--tls`") == std::string::npos);
  CHECK(table.find("--into ") == std::string::npos);
  CHECK(table.find("dinette --help-man \\| man -l -") != std::string::npos);  // else a cell ended there
}

TEST_CASE("the manual page and the completions of each shell name every command and option") {
  const std::string texts[] = {man_page(), completions(Shell::bash), completions(Shell::zsh),
                               completions(Shell::fish)};
  for (const std::string& text : texts) {
    for (const CommandSpec& command : command_table()) {
      INFO(command.name);
      CHECK(text.find(command.name) != std::string::npos);
    }
    for (const OptionSpec& option : option_table()) {
      const std::string name(option.name.empty() ? option.local : option.name);
      // troff's dashes, and fish's spelling without dashes
      const std::regex named("(-|-o |-l )" + std::regex_replace(name, std::regex("-"), "(\\\\)?-") + "\\b");
      INFO(name);
      CHECK(std::regex_search(text, named));
    }
  }
}

TEST_CASE("the words that a shell completes are accepted") {
  const std::string script = completions(Shell::bash);
  for (const OptionSpec& option : option_table()) {
    const std::regex branch(" " + spelling_of(option) + "\\) words '([^']*)'");
    std::smatch words;
    if (!std::regex_search(script, words, branch)) continue;
    std::istringstream each(words[1]);
    for (std::string word; each >> word;) {
      Options options;
      INFO(spelling_of(option) << " " << word);
      CHECK(option.apply(options, word).ok());
    }
  }
  CHECK(script.find("--durability) words 'process sync'") != std::string::npos);
}

TEST_CASE("the manual page begins no line with a request by accident") {
  std::istringstream lines(man_page());
  const std::regex request("\\.(TH|SH|SS|PP|TP|B|br|RE|RS)( .*)?");
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK((line.empty() || (line[0] != '.' && line[0] != '\'') || std::regex_match(line, request)));
  }
}

TEST_CASE("the version is one line") {
  CHECK(version_text().starts_with("dinette 0."));
}

}  // namespace
}  // namespace dinette::app::help_test
