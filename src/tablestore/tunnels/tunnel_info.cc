#include "tablestore/tunnels/tunnel_info.h"

#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/read_channel.h"

namespace dinette::tablestore {
namespace {

/// A channel that waits for a client has a word of its own here, and none in heartbeats.
std::string_view status_of(const TunnelChannel& channel) {
  const bool waits = channel.status == api::ChannelStatus::close && !channel.suspended;
  return waits ? "WAIT" : to_string(channel.status);
}

}  // namespace

api::TunnelInfo info_of(const Context& context, const OpenTable& table, const Tunnel& tunnel) {
  return {.tunnel_id = tunnel.id,
          .tunnel_type = std::string(name_of(tunnel.type)),
          .table_name = tunnel.table_name,
          .instance_name = std::string(context.instance()),
          .stream_id = tunnel.stream_id,
          .stage = tunnel.at_stream() ? "ProcessStream" : "ProcessBaseData",
          .expired = has_expired(context, table, tunnel),
          .tunnel_name = tunnel.name,
          .stream_tunnel_config = tunnel.config,
          .create_time = to_nanoseconds(tunnel.created)};
}

api::ChannelInfo info_of(const TunnelChannel& channel) {
  const auto type = channel.of_stream ? api::TunnelType::stream : api::TunnelType::base_data;
  api::ChannelInfo info{.channel_id = channel.id,
                        .channel_type = std::string(name_of(type)),
                        .channel_status = std::string(status_of(channel)),
                        .client_id = channel.client};
  if (const auto token = ChannelToken::decode(channel.checkpoint)) {
    info.channel_rpo = to_nanoseconds(token->read_until());
    info.channel_count = token->count;
  }
  return info;
}

}  // namespace dinette::tablestore
