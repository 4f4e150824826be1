#pragma once

#include <string>
#include <string_view>

namespace dinette::app {

// URLs of databases, which may have passwords in them.

/// Returns true for the URL of a database, such as `postgres://user@host/database`.
bool is_database(std::string_view place);

/// Returns a place of data as the program prints it: the URL of a database without its passwords, anything
/// else as it is.
std::string shown_place(std::string_view place);

/// Returns a message about a place, such as libpq's about a URL that it cannot read, as the program prints
/// it.
std::string shown_message(std::string message, std::string_view place);

}  // namespace dinette::app
