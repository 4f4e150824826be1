#pragma once

#include <cstdint>
#include <string>

#include "app/options.h"

namespace dinette::app {

/// Returns what a server prints when it is ready on `port`: a line that says so, how to point clients to it,
/// and where its page is, if it has one. If started as DynamoDB Local, it first prints the lines that tools
/// for DynamoDB Local wait for.
std::string greeting(const Options& options, std::uint16_t port, bool has_page);

}  // namespace dinette::app
