#pragma once

#include <string>

namespace dinette::app {

/// What `dinette --help` prints.
std::string serve_help();

/// What `dinette healthcheck --help` prints.
std::string healthcheck_help();

/// The options as the Markdown table that README.md shows between its `options` marks.
std::string options_markdown();

/// What `dinette --version` prints.
std::string version_text();

}  // namespace dinette::app
