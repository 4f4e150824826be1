#pragma once

#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/store/entry.h"

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tunnels/tunnel.h"

/// The tunnels of tables. Those of one table are kept together, so that its drop takes them with it, and
/// their names are different.
namespace dinette::tablestore {

/// Returns the entry by which a table that is dropped loses its tunnels.
store::EntryWrite removal_of_tunnels(store::TableId table);

/// Opens the table of a tunnel: OTSParameterInvalid if it is missing.
Answer<OpenTable> open_table_of_tunnels(const Context& context, std::string_view name);

Answer<std::vector<Tunnel>> tunnels_of(const Context& context, const OpenTable& table);
/// Returns those of all tables.
Answer<std::vector<Tunnel>> all_tunnels(const Context& context);

/// A tunnel as it was kept.
struct OpenTunnel {
  OpenTable table;
  Tunnel tunnel;
};

/// Finds a tunnel by its id, or fails.
Answer<OpenTunnel> open_tunnel(const Context& context, std::string_view tunnel_id);
/// Finds the one of a table that has the id, or, if that is empty, the name.
Answer<OpenTunnel> open_tunnel_of(const Context& context, std::string_view table, std::string_view name,
                                  std::string_view tunnel_id);

/// Changes the tunnels of a table. `edit` may run more than once, and last on what the result is of.
Answer<void> change_tunnels(const Context& context, const OpenTable& table,
                            base::FunctionRef<Answer<void>(std::vector<Tunnel>& tunnels)> edit);

/// Changes one tunnel; likewise.
Answer<void> change_tunnel(const Context& context, std::string_view tunnel_id,
                           base::FunctionRef<Answer<void>(const OpenTable& table, Tunnel& tunnel)> edit);

/// Returns the id of a new tunnel.
std::string new_tunnel_id(const Context& context, const OpenTable& table);

/// Returns a channel that a client has, of clients that are not silent, or fails.
Answer<TunnelChannel*> channel_of_client(const Context& context, Tunnel& tunnel, std::string_view client_id,
                                         std::string_view channel_id);

}  // namespace dinette::tablestore
