#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/http/message.h"

/// Signatures of requests and replies (tablestore/wire.md sections 3 to 5).
namespace dinette::tablestore::wire {

/// Returns what a signature of a request covers. `headers`: those of the service, without the signatures.
std::string request_text(std::string_view path, std::span<const http::Header> headers);

/// Returns a signature of version 2; of a reply, too.
std::string sign(std::string_view secret, std::string_view text);

/// Returns the key of version 4 signatures. `date`: such as "20261121".
std::string derive_key(std::string_view secret, std::string_view date, std::string_view region);
/// Returns a signature of version 4.
std::string sign_v4(std::string_view key, std::string_view text);

/// Returns what the signature of a reply covers. `headers`: those of the service, with lower-case names,
/// ascending.
std::string reply_text(std::string_view path, std::span<const http::Header> headers);

}  // namespace dinette::tablestore::wire
