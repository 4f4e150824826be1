#pragma once

#include <cstdint>
#include <string>

#include "app/options.h"

namespace dinette::app {

/// Returns what a server prints when it is ready on `port`: a line that says so, and how to point clients to
/// it. If started as DynamoDB Local, it first prints the lines that tools for DynamoDB Local wait for.
std::string greeting(const Options& options, std::uint16_t port);

}  // namespace dinette::app
