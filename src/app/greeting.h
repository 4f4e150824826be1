#pragma once

#include <cstdint>
#include <string>

#include "app/options.h"

namespace dinette::app {

/// What a server prints when it is ready on `port`: a line that says so, and how to point clients at it.
std::string greeting(const Options& options, std::uint16_t port);

}  // namespace dinette::app
