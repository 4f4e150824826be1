#pragma once

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tunnels/tunnel.h"

/// Tunnels as replies have them (tablestore/tunnel.md section 1).
namespace dinette::tablestore {

api::TunnelInfo info_of(const Context& context, const OpenTable& table, const Tunnel& tunnel);

api::ChannelInfo info_of(const TunnelChannel& channel);

}  // namespace dinette::tablestore
