#pragma once

#include <string_view>

namespace dinette::dynamodb::wire {

/// Whether a content coding, as in Content-Encoding, is gzip (RFC 9110 section 8.4.1: the names are
/// case-insensitive, and x-gzip is the same).
bool is_gzip(std::string_view coding);

/// Whether a client with this Accept-Encoding takes gzip (RFC 9110 section 12.5.3).
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace dinette::dynamodb::wire
