#pragma once

#include <optional>
#include <string_view>

#include "dinette/base/compression.h"

namespace dinette::dynamodb::wire {

/// Returns the coding of that name, in either case: gzip, or deflate, which is the zlib format (RFC 9110
/// section 8.4.1). Returns nothing for a name that the service does not know, x-gzip among them.
std::optional<base::Compression> coding_named(std::string_view name);

std::string_view name_of(base::Compression coding);

/// Returns the coding in which a client with this Accept-Encoding gets a large answer; nothing if it gets the
/// answer as it is. Facts: wire.md section 9.
std::optional<base::Compression> chosen_coding(std::string_view accept_encoding);

}  // namespace dinette::dynamodb::wire
