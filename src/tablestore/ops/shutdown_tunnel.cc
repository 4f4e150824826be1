#include "tablestore/api/shutdown_tunnel.h"

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/tunnel_clients.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::ShutdownTunnelResponse> shutdown_tunnel(const Context& context,
                                                    api::ShutdownTunnelRequest&& request) {
  const auto leave = [&](const OpenTable&, Tunnel& tunnel) -> Answer<void> {
    remove_silent_clients(tunnel, context.now);
    if (tunnel.client(request.client_id) == nullptr) return refuse::tunnel_client_gone(request.client_id);
    remove_client(tunnel, request.client_id);
    return {};
  };
  DINETTE_CHECK(change_tunnel(context, request.tunnel_id, leave));
  return api::ShutdownTunnelResponse();
}

}  // namespace dinette::tablestore::ops
