#pragma once

#include <vector>

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/tunnel.h"

namespace dinette::tablestore {

struct ChannelPage {
  std::vector<api::StreamRecord> records = {};
  ChannelToken next = {};
  bool more = false;  ///< there are more records now
};

/// Reads records of a channel (tablestore/tunnel.md section 2): at most 1,000, and about 1 MB. Those of base
/// data are rows as they are now, as if they were put; whatever is written meanwhile is in the stream, too.
Answer<ChannelPage> read_channel(const Context& context, const OpenTable& table, const Tunnel& tunnel,
                                 const TunnelChannel& channel, const ChannelToken& token);

/// Returns true if records of the stream that no client has read are gone, so that the tunnel is of no use
/// any more.
bool has_expired(const Context& context, const OpenTable& table, const Tunnel& tunnel);

}  // namespace dinette::tablestore
