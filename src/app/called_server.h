#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/sign_request.h"
#include "dinette/base/result.h"
#include "dinette/http/url.h"
#include "dinette/tcp/stream.h"

namespace dinette::app {

// A server that the program calls: where it is, and by which keys it is called.

using http::is_url;

/// Reads "http://host:port", "https://host". The error is a sentence for the user.
base::Result<tcp::Remote, std::string> read_url(std::string_view url);

/// Reads "localhost:8000", "[::1]:8000": a server without TLS. The error is a sentence for the user.
base::Result<tcp::Remote, std::string> read_host_and_port(std::string_view text);

/// Returns the keys and the region of the environment variables that the SDKs of AWS read (AWS_ACCESS_KEY_ID
/// and so on), with defaults that every local server accepts.
aws::SigningIdentity identity_of_environment();

}  // namespace dinette::app
