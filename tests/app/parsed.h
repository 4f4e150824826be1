#pragma once

#include <initializer_list>
#include <string_view>

#include <catch2/catch.hpp>

#include "app/cli/command_line.h"

namespace dinette::app {

/// The options of a command line that is right.
inline Options parsed(std::initializer_list<std::string_view> arguments) {
  auto options = parse_command_line({arguments.begin(), arguments.size()});
  INFO((options.ok() ? "" : options.error()));
  REQUIRE(options.ok());
  return *options;
}

}  // namespace dinette::app
