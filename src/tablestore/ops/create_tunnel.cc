#include "tablestore/api/create_tunnel.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/streams/stream_change.h"
#include "tablestore/streams/stream_upkeep.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/new_tunnel.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {
namespace {

Answer<void> check_name_free(const std::vector<Tunnel>& tunnels, std::string_view name) {
  if (std::ranges::find(tunnels, name, &Tunnel::name) != tunnels.end()) return refuse::tunnel_exists();
  if (tunnels.size() >= limits::tunnels)
    return refuse::too_many_tunnels(static_cast<std::int64_t>(limits::tunnels));
  return {};
}

/// Enables the stream of a table, if it has none.
Answer<OpenTable> with_stream(const Context& context, const OpenTable& table) {
  if (table.meta().stream) return table;
  const api::StreamSpecification longest{.enable_stream = true, .expiration_time = limits::stream_hours};
  DINETTE_TRY(const StreamChange stream, StreamChange::read(longest));
  const auto enable = [&](TableMeta& meta) -> Answer<void> {
    return meta.stream ? Answer<void>() : stream.apply(context, meta);
  };
  DINETTE_TRY(OpenTable changed, change_table(context, table, enable));
  remove_expired_records_later(context.store, context.world.jobs(), *changed.table);
  return changed;
}

}  // namespace

Answer<api::CreateTunnelResponse> create_tunnel(const Context& context, api::CreateTunnelRequest&& request) {
  const api::Tunnel& asked = request.tunnel;
  if (asked.tunnel_name.empty() || asked.tunnel_name.size() > limits::name_bytes)
    return refuse::invalid_tunnel_name(asked.tunnel_name);
  DINETTE_TRY(OpenTable table, open_table_of_tunnels(context, asked.table_name));
  const StreamMeta* const stream = table.meta().stream ? &*table.meta().stream : nullptr;
  DINETTE_CHECK(
      check_offsets(context, asked, stream != nullptr ? stream->expiration_hours : limits::stream_hours));
  DINETTE_TRY(const std::vector<Tunnel> others, tunnels_of(context, table));
  DINETTE_CHECK(check_name_free(others, asked.tunnel_name));
  if (asked.tunnel_type != api::TunnelType::base_data) {
    DINETTE_TRY(table, with_stream(context, table));
  }
  DINETTE_TRY(const Tunnel tunnel, make_tunnel(context, table, asked));
  const auto add = [&](std::vector<Tunnel>& tunnels) -> Answer<void> {
    DINETTE_CHECK(check_name_free(tunnels, tunnel.name));
    tunnels.push_back(tunnel);
    return {};
  };
  DINETTE_CHECK(change_tunnels(context, table, add));
  return api::CreateTunnelResponse{.tunnel_id = tunnel.id};
}

}  // namespace dinette::tablestore::ops
