#pragma once

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tunnels/tunnel.h"

namespace dinette::tablestore {

/// Checks what a tunnel of a request would read of a stream that is kept for that long, and when.
Answer<void> check_offsets(const Context& context, const api::Tunnel& asked, std::int32_t expiration_hours);

/// Makes a tunnel, with its channels: one for each range of keys that the table was created with, and one
/// for its stream, which the table must have if the tunnel reads it.
Answer<Tunnel> make_tunnel(const Context& context, const OpenTable& table, const api::Tunnel& asked);

}  // namespace dinette::tablestore
