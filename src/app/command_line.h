#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Reads the arguments that follow the program's name. Options are spelt by GNU habit (`--port 8000`,
/// `--port=8000`, `--` ends them) or as DynamoDB Local spells them (`-port 8000`, `-inMemory`); the last of
/// several wins. Options of a Java virtual machine (`-Dname=value`, `-Xmx1g`) are passed over, as is the name
/// of the class that follows a class path (`-cp DynamoDBLocal.jar com.amazonaws...ServerRunner`).
///
/// `program` is the name by which the program was called: `java` means that the
/// caller expects DynamoDB Local.
///
/// The failure is a text for the user that says what is wrong and what to do.
base::Result<Options, std::string> parse_command_line(std::span<const std::string_view> arguments,
                                                      std::string_view program = {});

}  // namespace dinette::app
