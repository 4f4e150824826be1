#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Reads the arguments after the program's name. Options follow GNU conventions (`--port 8000`,
/// `--port=8000`, `--` ends them) or DynamoDB Local's (`-port 8000`, `-inMemory`); the last one wins. Options
/// of a Java virtual machine (`-Dname=value`, `-Xmx1g`) are ignored, as is the class name after a class path
/// (`-cp DynamoDBLocal.jar com.amazonaws...ServerRunner`).
///
/// `program` is the name by which the program was called: `java` means that the
/// caller expects DynamoDB Local.
///
/// The error is a text for the user that says what is wrong and what to do.
base::Result<Options, std::string> parse_command_line(std::span<const std::string_view> arguments,
                                                      std::string_view program = {});

/// Returns how to get the help of the command that the arguments name: "dinette export --help".
std::string help_command(std::span<const std::string_view> arguments);

}  // namespace dinette::app
