#include "tablestore/api/heartbeat.h"

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/read_channel.h"
#include "tablestore/tunnels/tunnel_clients.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::HeartbeatResponse> heartbeat(const Context& context, api::HeartbeatRequest&& request) {
  api::HeartbeatResponse response;
  const auto beat = [&](const OpenTable& table, Tunnel& tunnel) -> Answer<void> {
    remove_silent_clients(tunnel, context.now);
    TunnelClient* const client = tunnel.client(request.client_id);
    if (client == nullptr) return refuse::tunnel_client_gone(request.client_id);
    if (has_expired(context, table, tunnel)) return refuse::tunnel_expired();
    client->seen = context.now;
    take_report(tunnel, request.client_id, request.channels);
    assign_channels(tunnel, request.client_id);
    response.channels = channels_of(tunnel, request.client_id);
    return {};
  };
  DINETTE_CHECK(change_tunnel(context, request.tunnel_id, beat));
  return response;
}

}  // namespace dinette::tablestore::ops
