#include "tablestore/tunnels/tunnel_record.h"

#include <utility>

#include "dinette/base/record_bytes.h"

namespace dinette::tablestore {
namespace {

using base::RecordReader;
using base::RecordWriter;

// Kept on disk: never renumber.
constexpr std::uint8_t tunnels_format = 2;

void add_time(RecordWriter& out, base::TimePoint time) {
  out.add(static_cast<std::int64_t>(time.time_since_epoch().count()));
}

base::TimePoint read_time(RecordReader& in) {
  return base::TimePoint(base::TimePoint::duration(in.int64()));
}

/// Enumerations are kept as the API has them.
template <class Enumeration>
void add_number(RecordWriter& out, Enumeration value) {
  out.add(static_cast<std::uint8_t>(value));
}

template <class Enumeration>
Enumeration read_number(RecordReader& in) {
  Enumeration value{};
  if (!api::from_number(in.number<std::uint8_t>(), value)) in.fail();
  return value;
}

void add_config(RecordWriter& out, const api::StreamTunnelConfig& config) {
  add_number(out, config.flag.value_or(api::StartOffsetFlag::latest));
  out.add(config.start_offset.value_or(0));
  out.add(config.end_offset.value_or(0));
}

api::StreamTunnelConfig read_config(RecordReader& in) {
  api::StreamTunnelConfig config;
  config.flag = read_number<api::StartOffsetFlag>(in);
  if (const std::int64_t offset = in.int64(); offset != 0) config.start_offset = offset;
  if (const std::int64_t offset = in.int64(); offset != 0) config.end_offset = offset;
  return config;
}

void add_channel(RecordWriter& out, const TunnelChannel& channel) {
  out.add(std::string_view(channel.id));
  out.add(channel.of_stream);
  out.add(std::string_view(channel.rows.begin));
  out.add(std::string_view(channel.rows.end));
  add_number(out, channel.status);
  out.add(channel.version);
  out.add(std::string_view(channel.client));
  out.add(std::string_view(channel.checkpoint));
  out.add(channel.sequence);
  out.add(channel.suspended);
}

TunnelChannel read_channel(RecordReader& in) {
  TunnelChannel channel;
  channel.id = in.text();
  channel.of_stream = in.truth();
  channel.rows.begin = in.text();
  channel.rows.end = in.text();
  channel.status = read_number<api::ChannelStatus>(in);
  channel.version = in.int64();
  channel.client = in.text();
  channel.checkpoint = in.text();
  channel.sequence = in.int64();
  channel.suspended = in.truth();
  return channel;
}

void add_client(RecordWriter& out, const TunnelClient& client) {
  out.add(std::string_view(client.id));
  out.add(static_cast<std::int64_t>(client.timeout.count()));
  add_time(out, client.seen);
}

TunnelClient read_client(RecordReader& in) {
  TunnelClient client;
  client.id = in.text();
  client.timeout = std::chrono::seconds(in.int64());
  client.seen = read_time(in);
  return client;
}

void add_tunnel(RecordWriter& out, const Tunnel& tunnel) {
  out.add(std::string_view(tunnel.id));
  out.add(std::string_view(tunnel.name));
  out.add(std::string_view(tunnel.table_name));
  add_number(out, tunnel.type);
  add_time(out, tunnel.created);
  out.add(std::string_view(tunnel.stream_id));
  out.add(tunnel.config.has_value());
  if (tunnel.config) add_config(out, *tunnel.config);
  out.add_list(tunnel.channels, [&](const TunnelChannel& channel) { add_channel(out, channel); });
  out.add_list(tunnel.clients, [&](const TunnelClient& client) { add_client(out, client); });
}

/// Reads the fields in the order in which add_tunnel() adds them.
Tunnel read_tunnel(RecordReader& in) {
  Tunnel tunnel;
  tunnel.id = in.text();
  tunnel.name = in.text();
  tunnel.table_name = in.text();
  tunnel.type = read_number<api::TunnelType>(in);
  tunnel.created = read_time(in);
  tunnel.stream_id = in.text();
  if (in.truth()) tunnel.config = read_config(in);
  in.read_list([&] { tunnel.channels.push_back(read_channel(in)); });
  in.read_list([&] { tunnel.clients.push_back(read_client(in)); });
  return tunnel;
}

}  // namespace

kv::Value pack_tunnels(const std::vector<Tunnel>& tunnels) {
  RecordWriter out;
  out.add(tunnels_format);
  out.add_list(tunnels, [&](const Tunnel& tunnel) { add_tunnel(out, tunnel); });
  return kv::Value(std::move(out).take());
}

std::optional<std::vector<Tunnel>> unpack_tunnels(std::string_view bytes) {
  RecordReader in(bytes);
  if (in.number<std::uint8_t>() != tunnels_format) return std::nullopt;
  std::vector<Tunnel> tunnels;
  in.read_list([&] { tunnels.push_back(read_tunnel(in)); });
  if (!in.complete()) return std::nullopt;
  return tunnels;
}

}  // namespace dinette::tablestore
