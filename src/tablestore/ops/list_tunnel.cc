#include "tablestore/api/list_tunnel.h"

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/tunnel_info.h"

// tablestore/tunnel.md section 1
namespace dinette::tablestore::ops {
namespace {

/// Adds a tunnel unless its table is gone since it was read.
Answer<void> add_tunnel(const Context& context, const Tunnel& tunnel, api::ListTunnelResponse& response) {
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open(tunnel.table_name));
  if (table) response.tunnels.push_back(info_of(context, OpenTable{std::move(table)}, tunnel));
  return {};
}

}  // namespace

Answer<api::ListTunnelResponse> list_tunnel(const Context& context, api::ListTunnelRequest&& request) {
  api::ListTunnelResponse response;
  if (!request.table_name || request.table_name->empty()) {
    DINETTE_TRY(const std::vector<Tunnel> tunnels, all_tunnels(context));
    for (const Tunnel& tunnel : tunnels) DINETTE_CHECK(add_tunnel(context, tunnel, response));
    return response;
  }
  DINETTE_TRY(const OpenTable table, open_table_of_tunnels(context, *request.table_name));
  DINETTE_TRY(const std::vector<Tunnel> tunnels, tunnels_of(context, table));
  for (const Tunnel& tunnel : tunnels) response.tunnels.push_back(info_of(context, table, tunnel));
  return response;
}

}  // namespace dinette::tablestore::ops
