#pragma once

#include <string>

namespace dinette::app {

/// Returns what `dinette --help` prints.
std::string serve_help();

/// Returns what `dinette healthcheck --help` prints.
std::string healthcheck_help();

/// Returns what `dinette export --help` prints.
std::string export_help();

/// Returns what `dinette import --help` prints.
std::string import_help();
std::string pull_help();

/// Returns what `dinette listen --help` prints.
std::string listen_help();

/// Returns what `dinette check --help` prints.
std::string check_help();

/// Returns what `dinette mcp --help` prints.
std::string mcp_help();

/// Returns what `dinette doctor --help` prints.
std::string doctor_help();

/// Returns what `dinette tables --help` prints.
std::string tables_help();
std::string policy_help();
std::string row_size_help();

/// Returns the options as the Markdown table that docs/options.md has between its `options` marks.
std::string options_markdown();

/// Returns what `dinette --version` prints.
std::string version_text();

}  // namespace dinette::app
