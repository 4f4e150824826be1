#include "tablestore/tunnels/recovery_points.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/tunnel_clients.h"
#include "tablestore/tunnels/tunnel_info.h"

namespace dinette::tablestore {
namespace {

/// How far something has been read. Times are nanoseconds since 1970.
struct RecoveryPoint {
  std::int64_t count = 0;            ///< of records
  std::int64_t accessed = 0;         ///< when a client was last heard of; 0: none is there
  std::optional<std::int64_t> read;  ///< all that is older has been read

  void add(const RecoveryPoint& other) {
    count += other.count;
    accessed = std::max(accessed, other.accessed);
    if (other.read) read = std::min(read.value_or(*other.read), *other.read);
  }
};

/// Returns the members of a point, of which ids, names and numbers need no escapes.
std::string members(std::string_view status, const RecoveryPoint& point) {
  std::string json = "\"Status\":\"";
  json.append(status).append("\",\"TotalCount\":").append(std::to_string(point.count));
  json.append(",\"AccessTime\":").append(std::to_string(point.accessed));
  return json.append(",\"RpoTime\":").append(std::to_string(point.read.value_or(0)));
}

std::string object(std::string_view name, std::string_view members) {
  std::string json = "\"";
  return json.append(name).append("\":{").append(members).append("}");
}

}  // namespace

Answer<RecoveryPoints> recovery_points(const Context& context, std::string_view tunnel_id) {
  DINETTE_TRY(OpenTunnel open, open_tunnel(context, tunnel_id));
  Tunnel& tunnel = open.tunnel;
  remove_silent_clients(tunnel, context.now);
  RecoveryPoint whole;
  std::string channels;
  for (const TunnelChannel& channel : tunnel.channels) {
    if (channel.of_stream && !tunnel.at_stream()) continue;
    const api::ChannelInfo info = info_of(channel);
    const TunnelClient* const client = tunnel.client(channel.client);
    const RecoveryPoint point{.count = info.channel_count.value_or(0),
                              .accessed = client == nullptr ? 0 : to_nanoseconds(client->seen),
                              .read = info.channel_rpo};
    whole.add(point);
    channels.append(channels.empty() ? "" : ",")
        .append(object(channel.id, "\"ChannelTyp\":\"" + info.channel_type.value_or("") + "\"," +
                                       members(info.channel_status.value_or(""), point)));
  }
  const std::string stage = info_of(context, open.table, tunnel).stage;
  return RecoveryPoints{.of_channels = "{" + object(tunnel.id, channels) + "}",
                        .of_tunnels = "{" + object(tunnel.id, members(stage, whole)) + "}"};
}

}  // namespace dinette::tablestore
