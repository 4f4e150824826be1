#include "tablestore/tunnels/new_tunnel.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dinette/base/waiting.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/streams/shard_records.h"
#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/kept_tunnels.h"

namespace dinette::tablestore {
namespace {

TunnelChannel make_channel(const Context& context, const ChannelToken& from) {
  return {
      .id = context.store.ids().uuid(), .of_stream = from.iterator.has_value(), .checkpoint = from.encode()};
}

/// Adds channels for all rows of a table.
Answer<void> add_row_channels(const Context& context, const TableMeta& table, Tunnel& tunnel) {
  std::vector<std::string> begins{""};
  for (const std::string& point : table.split_points) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(point));
    if (!value.is_infinite() && value.type() == table.key.front().type)
      begins.push_back(encode_partition(value));
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    TunnelChannel& channel = tunnel.channels.emplace_back(make_channel(context, {}));
    channel.rows = {begins[i], i + 1 < begins.size() ? begins[i + 1] : ""};
  }
  return {};
}

Answer<ShardIterator> start_of_stream(const Context& context, const OpenTable& table,
                                      const api::StreamTunnelConfig& config) {
  if (config.start_offset) {
    if (!base::may_wait()) return must_wait();
    return iterator_at(context, table, from_nanoseconds(*config.start_offset));
  }
  if (config.flag == api::StartOffsetFlag::earliest) return first_iterator(context, table);
  return end_iterator(context, table);
}

}  // namespace

Answer<void> check_offsets(const Context& context, const api::Tunnel& asked, std::int32_t expiration_hours) {
  if (!asked.stream_tunnel_config) return {};
  const api::StreamTunnelConfig& config = *asked.stream_tunnel_config;
  const auto lifetime =
      std::chrono::hours(expiration_hours) - std::chrono::minutes(limits::tunnel_start_margin_minutes);
  if (config.start_offset) {
    const base::TimePoint start = from_nanoseconds(*config.start_offset);
    if (start < context.now - lifetime || start > context.now)
      return refuse::invalid_start_offset(*config.start_offset);
  }
  if (config.end_offset && *config.end_offset <= config.start_offset.value_or(0))
    return refuse::invalid_end_offset(*config.end_offset);
  return {};
}

Answer<Tunnel> make_tunnel(const Context& context, const OpenTable& table, const api::Tunnel& asked) {
  Tunnel tunnel{.id = new_tunnel_id(context, table),
                .name = std::string(asked.tunnel_name),
                .table_name = table.meta().name,
                .type = asked.tunnel_type,
                .created = context.now,
                .config = asked.stream_tunnel_config};
  if (asked.tunnel_type != api::TunnelType::stream)
    DINETTE_CHECK(add_row_channels(context, table.meta(), tunnel));
  if (asked.tunnel_type == api::TunnelType::base_data) return tunnel;
  ChannelToken from;
  DINETTE_TRY(from.iterator,
              start_of_stream(context, table, tunnel.config.value_or(api::StreamTunnelConfig())));
  tunnel.stream_id = table.meta().stream_id();
  tunnel.channels.push_back(make_channel(context, from));
  return tunnel;
}

}  // namespace dinette::tablestore
