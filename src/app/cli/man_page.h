#pragma once

#include <string>

namespace dinette::app {

/// Returns the manual page dinette(1), in the man macros of troff.
std::string man_page();

}  // namespace dinette::app
