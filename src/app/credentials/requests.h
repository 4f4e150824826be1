#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "app/credentials/credentials.h"

namespace dinette::app {

/// Sends one request, with a limit for the response. The error is a sentence about the server.
base::Result<http::ClientResponse, std::string> send_request(
    const CredentialSurroundings& surroundings, const tcp::Remote& server, const http::ClientRequest& request,
    std::chrono::milliseconds timeout = std::chrono::seconds(20));

/// Returns a text without the white space at its end.
std::string without_line_end(std::string_view text);

/// Returns true if a text can be the value of a header, or a part of a URL.
bool is_one_word(std::string_view text);

}  // namespace dinette::app
