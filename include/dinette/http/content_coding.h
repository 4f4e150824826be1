#pragma once

#include <optional>
#include <string_view>

#include "dinette/base/compression.h"
#include "dinette/http/message.h"

namespace dinette::http {

/// Returns the coding of that name, in either case: gzip, or deflate, which is the zlib format (RFC 9110
/// section 8.4.1). Returns nothing for other names; x-gzip is one of them.
std::optional<base::Compression> coding_named(std::string_view name);

std::string_view coding_name(base::Compression coding);

/// Returns the coding that a client with this Accept-Encoding prefers (RFC 9110 section 12.5.3); nothing if
/// it accepts neither. Among equals the one named first wins, or gzip. Lenient: the weight of an element is
/// the number after its first "q=", clamped to 0 to 1, or 1 if there is none. `identity` is never preferred.
std::optional<base::Compression> chosen_coding(std::string_view accept_encoding);

/// Compresses the body of `response`, with its header, if a client with this Accept-Encoding wants that.
/// Returns false if it does not.
bool compress_for(std::string_view accept_encoding, Response& response);

}  // namespace dinette::http
