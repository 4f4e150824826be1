#pragma once

#include <string_view>

#include "dinette/http/message.h"

namespace dinette::face {

// What tells requests of AWS clients from those of other programs. Nothing is verified.

/// Returns true if a request is signed in its headers, by either version of signatures, or has a header
/// `X-Amz-...`, as every request of an SDK has. A link that was signed in advance has neither.
bool is_of_aws(const http::Request& request);

/// Returns true if the signature of a request, in its headers or in its query, names a service, such as "s3".
bool is_signed_for(const http::Request& request, std::string_view service);

}  // namespace dinette::face
