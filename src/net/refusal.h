#pragma once

#include "dinette/net/server.h"

namespace dinette::net {

/// Why a request is not given to the handler.
enum class Refusal { malformed, too_slow, body_too_large, header_too_large, too_many_connections };

/// Fills `reply` with the answer; it closes the connection.
void write_refusal(Refusal refusal, const RefusalBodies& bodies, HttpReply& reply);

}  // namespace dinette::net
