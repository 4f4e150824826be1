#include "tablestore/api/describe_tunnel.h"

#include <algorithm>
#include <optional>

#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/tunnel_clients.h"
#include "tablestore/tunnels/tunnel_info.h"

// tablestore/tunnel.md section 1
namespace dinette::tablestore::ops {

Answer<api::DescribeTunnelResponse> describe_tunnel(const Context& context,
                                                    api::DescribeTunnelRequest&& request) {
  DINETTE_TRY(OpenTunnel open, open_tunnel_of(context, request.table_name, request.tunnel_name,
                                              request.tunnel_id.value_or("")));
  remove_silent_clients(open.tunnel, context.now);
  api::DescribeTunnelResponse response;
  response.tunnel = info_of(context, open.table, open.tunnel);
  response.tunnel_rpo = 0;  // of base data
  for (const TunnelChannel& channel : open.tunnel.channels) {
    if (channel.of_stream && !open.tunnel.at_stream()) continue;
    const api::ChannelInfo& info = response.channels.emplace_back(info_of(channel));
    if (channel.of_stream) response.tunnel_rpo = info.channel_rpo;  // there is one
  }
  return response;
}

}  // namespace dinette::tablestore::ops
