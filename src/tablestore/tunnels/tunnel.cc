#include "tablestore/tunnels/tunnel.h"

#include <algorithm>

namespace dinette::tablestore {

bool Tunnel::at_stream() const {
  if (type == api::TunnelType::base_data) return false;
  return std::ranges::all_of(
      channels, [](const TunnelChannel& channel) { return channel.of_stream || channel.terminated(); });
}

TunnelClient* Tunnel::client(std::string_view client_id) {
  const auto found = std::ranges::find(clients, client_id, &TunnelClient::id);
  return found == clients.end() ? nullptr : &*found;
}

TunnelChannel* Tunnel::channel(std::string_view channel_id) {
  const auto found = std::ranges::find(channels, channel_id, &TunnelChannel::id);
  return found == channels.end() ? nullptr : &*found;
}

std::string_view name_of(api::TunnelType type) {
  switch (type) {
    case api::TunnelType::base_data:
      return "BaseData";
    case api::TunnelType::stream:
      return "Stream";
    case api::TunnelType::base_and_stream:
      return "BaseAndStream";
  }
  return "";
}

}  // namespace dinette::tablestore
