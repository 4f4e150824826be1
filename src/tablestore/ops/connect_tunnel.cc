#include "tablestore/api/connect_tunnel.h"

#include <chrono>
#include <string>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/read_channel.h"
#include "tablestore/tunnels/tunnel_clients.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {
namespace {

/// Returns the name that a client gives itself, and something random.
std::string new_client_id(const Context& context, std::string_view tag) {
  std::string id = context.store.ids().uuid();
  if (!tag.empty() && tag.size() <= limits::name_bytes) id = std::string(tag) + "-" + id;
  return id;
}

std::chrono::seconds timeout_of(const api::ClientConfig& config) {
  const std::int64_t given = config.timeout.value_or(0);
  const bool usable = given > 0 && given <= std::numeric_limits<std::int32_t>::max();
  return std::chrono::seconds(usable ? given : limits::tunnel_client_seconds);
}

}  // namespace

Answer<api::ConnectTunnelResponse> connect_tunnel(const Context& context,
                                                  api::ConnectTunnelRequest&& request) {
  const api::ClientConfig config = request.client_config.value_or(api::ClientConfig());
  const TunnelClient client{.id = new_client_id(context, config.client_tag.value_or("")),
                            .timeout = timeout_of(config),
                            .seen = context.now};
  const auto add = [&](const OpenTable& table, Tunnel& tunnel) -> Answer<void> {
    if (has_expired(context, table, tunnel)) return refuse::tunnel_expired();
    remove_silent_clients(tunnel, context.now);
    if (tunnel.clients.size() >= limits::tunnel_clients)
      return refuse::too_many_tunnel_clients(static_cast<std::int64_t>(limits::tunnel_clients));
    tunnel.clients.push_back(client);
    return {};
  };
  DINETTE_CHECK(change_tunnel(context, request.tunnel_id, add));
  return api::ConnectTunnelResponse{.client_id = client.id};
}

}  // namespace dinette::tablestore::ops
