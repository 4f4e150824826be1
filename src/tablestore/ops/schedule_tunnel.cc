#include "tablestore/api/schedule_tunnel.h"

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/tunnel_clients.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::ScheduleTunnelResponse> schedule_tunnel(const Context& context,
                                                    api::ScheduleTunnelRequest&& request) {
  const auto change = [&](const OpenTable&, Tunnel& tunnel) -> Answer<void> {
    remove_silent_clients(tunnel, context.now);
    for (const api::Channel& asked : request.channels) {
      TunnelChannel* const channel = tunnel.channel(asked.channel_id);
      if (channel == nullptr || channel->terminated())
        return refuse::no_such_tunnel_channel(asked.channel_id);
      schedule(*channel, asked.status);
    }
    return {};
  };
  DINETTE_CHECK(change_tunnel(context, request.tunnel_id, change));
  return api::ScheduleTunnelResponse();
}

}  // namespace dinette::tablestore::ops
