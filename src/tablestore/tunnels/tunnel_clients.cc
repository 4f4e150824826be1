#include "tablestore/tunnels/tunnel_clients.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace dinette::tablestore {
namespace {

using api::ChannelStatus;

/// Versions of clients are less than this, so that the server's rise without an overflow.
constexpr std::int64_t version_end = std::numeric_limits<std::int32_t>::max();

void set_status(TunnelChannel& channel, ChannelStatus status) {
  channel.status = status;
  ++channel.version;
}

ChannelStatus status_without_client(const TunnelChannel& channel) {
  return channel.suspended ? ChannelStatus::closing : ChannelStatus::close;
}

void release(TunnelChannel& channel) {
  channel.client.clear();
  set_status(channel, status_without_client(channel));
}

template <class Matches>
std::size_t count_open(const Tunnel& tunnel, Matches&& matches) {
  return static_cast<std::size_t>(std::ranges::count_if(tunnel.channels, [&](const TunnelChannel& channel) {
    return tunnel.is_open(channel) && matches(channel);
  }));
}

std::size_t open_at(const Tunnel& tunnel, std::string_view client_id) {
  return count_open(tunnel, [&](const TunnelChannel& channel) {
    return channel.client == client_id && channel.status == ChannelStatus::open;
  });
}

std::size_t closing(const Tunnel& tunnel) {
  return count_open(tunnel,
                    [](const TunnelChannel& channel) { return channel.status == ChannelStatus::closing; });
}

/// Returns a channel of the client that has most; null if none has more than `part`.
TunnelChannel* channel_of_busiest(Tunnel& tunnel, std::size_t part) {
  const auto busiest = std::ranges::max_element(
      tunnel.clients, {}, [&](const TunnelClient& client) { return open_at(tunnel, client.id); });
  if (busiest == tunnel.clients.end() || open_at(tunnel, busiest->id) <= part) return nullptr;
  for (TunnelChannel& channel : tunnel.channels)
    if (channel.client == busiest->id && channel.status == ChannelStatus::open) return &channel;
  return nullptr;
}

}  // namespace

void remove_silent_clients(Tunnel& tunnel, base::TimePoint now) {
  std::vector<std::string> silent;
  for (const TunnelClient& client : tunnel.clients)
    if (client.silent(now)) silent.push_back(client.id);
  for (const std::string& client : silent) remove_client(tunnel, client);
}

void remove_client(Tunnel& tunnel, std::string_view client_id) {
  for (TunnelChannel& channel : tunnel.channels)
    if (channel.client == client_id) release(channel);
  std::erase_if(tunnel.clients, [&](const TunnelClient& client) { return client.id == client_id; });
}

void take_report(Tunnel& tunnel, std::string_view client_id, const std::vector<api::Channel>& reported) {
  for (const api::Channel& report : reported) {
    TunnelChannel* const channel = tunnel.channel(report.channel_id);
    if (channel == nullptr || channel->client != client_id) continue;
    if (report.version <= channel->version || report.version >= version_end) continue;
    if (report.status != ChannelStatus::close && report.status != ChannelStatus::terminated) continue;
    channel->client.clear();
    channel->status =
        report.status == ChannelStatus::terminated ? report.status : status_without_client(*channel);
    channel->version = report.version;
  }
}

void assign_channels(Tunnel& tunnel, std::string_view client_id) {
  const std::size_t all = count_open(tunnel, [](const TunnelChannel&) { return true; });
  const std::size_t clients = tunnel.clients.size();
  const std::size_t least_part = all / clients;
  const std::size_t largest_part = (all + clients - 1) / clients;
  std::size_t own = open_at(tunnel, client_id);
  for (TunnelChannel& channel : tunnel.channels) {
    if (own == largest_part) return;
    if (!tunnel.is_open(channel) || !channel.client.empty()) continue;
    channel.client = client_id;
    set_status(channel, ChannelStatus::open);
    ++own;
  }
  for (own += closing(tunnel); own < least_part; ++own) {
    TunnelChannel* const channel = channel_of_busiest(tunnel, least_part);
    if (channel == nullptr) return;
    set_status(*channel, ChannelStatus::closing);
  }
}

void schedule(TunnelChannel& channel, ChannelStatus status) {
  channel.suspended = status == ChannelStatus::closing || status == ChannelStatus::close;
  if (status == ChannelStatus::terminated) channel.client.clear();
  if (channel.suspended) status = ChannelStatus::closing;
  if (status == ChannelStatus::open && channel.client.empty()) status = ChannelStatus::close;
  if (channel.status != status) set_status(channel, status);
}

std::vector<api::Channel> channels_of(const Tunnel& tunnel, std::string_view client_id) {
  std::vector<api::Channel> channels;
  for (const TunnelChannel& channel : tunnel.channels)
    if (channel.client == client_id)
      channels.push_back({.channel_id = channel.id, .version = channel.version, .status = channel.status});
  return channels;
}

}  // namespace dinette::tablestore
