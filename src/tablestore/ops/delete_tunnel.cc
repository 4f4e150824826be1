#include "tablestore/api/delete_tunnel.h"

#include "tablestore/tunnels/kept_tunnels.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::DeleteTunnelResponse> delete_tunnel(const Context& context, api::DeleteTunnelRequest&& request) {
  DINETTE_TRY(const OpenTunnel open, open_tunnel_of(context, request.table_name, request.tunnel_name,
                                                    request.tunnel_id.value_or("")));
  DINETTE_CHECK(change_tunnels(context, open.table, [&](std::vector<Tunnel>& tunnels) -> Answer<void> {
    std::erase_if(tunnels, [&](const Tunnel& tunnel) { return tunnel.id == open.tunnel.id; });
    return {};
  }));
  return api::DeleteTunnelResponse();
}

}  // namespace dinette::tablestore::ops
