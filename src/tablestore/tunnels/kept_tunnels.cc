#include "tablestore/tunnels/kept_tunnels.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "dinette/base/bytes.h"

#include "tablestore/api/refusals.h"
#include "tablestore/request/entry_spaces.h"
#include "tablestore/request/names.h"
#include "tablestore/tunnels/tunnel_clients.h"
#include "tablestore/tunnels/tunnel_record.h"

namespace dinette::tablestore {
namespace {

constexpr char id_separator = '-';

/// A key that is locked together with the tunnels, so that they change only while the table is there. It is
/// the key of no row.
constexpr std::string_view no_row = "tunnels";

std::string tunnels_key(store::TableId table) {
  std::string key;
  base::append_big_endian(key, table);
  return key;
}

kv::Error corrupt_tunnels() {
  return {kv::ErrorKind::corrupt, "the tunnels of a table of Tablestore cannot be read"};
}

kv::Result<std::vector<Tunnel>> unpacked(const kv::Value* entry) {
  if (entry == nullptr) return std::vector<Tunnel>();
  auto tunnels = unpack_tunnels(entry->view());
  if (!tunnels) return base::Failure{corrupt_tunnels()};
  return *std::move(tunnels);
}

/// Returns the table that an id of a tunnel begins with.
std::optional<store::TableId> table_in(std::string_view tunnel_id) {
  const std::string_view number = tunnel_id.substr(0, tunnel_id.find(id_separator));
  store::TableId id = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return id;
}

Answer<std::vector<Tunnel>> tunnels_of(const Context& context, store::TableId table) {
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  DINETTE_TABLESTORE_STORED(const auto entry, view.read(entry_spaces::tunnels, tunnels_key(table)));
  DINETTE_TABLESTORE_STORED(auto tunnels, unpacked(entry ? &*entry : nullptr));
  return tunnels;
}

/// Carries out a change, or returns false if the table has been altered since it was opened.
Answer<bool> try_change(const Context& context, const OpenTable& table,
                        base::FunctionRef<Answer<void>(std::vector<Tunnel>&)> edit) {
  const std::string key = tunnels_key(table.table->id);
  const store::WriteTarget targets[] = {store::WriteTarget::entry(entry_spaces::tunnels, key),
                                        store::WriteTarget::row(*table.table, no_row)};
  const auto decide = [&](const store::Rows& entries, store::RowChanges changes) -> Answer<void> {
    DINETTE_TABLESTORE_STORED(auto tunnels, unpacked(entries[0]));
    DINETTE_CHECK(edit(tunnels));
    changes[0].row = tunnels.empty() ? store::RowChange::Row::erase : store::RowChange::Row::put;
    if (!tunnels.empty()) changes[0].value = pack_tunnels(tunnels);
    return {};
  };
  DINETTE_TABLESTORE_STORED(auto written, context.store.write(targets, decide));
  if (written.outcome == store::WriteOutcome::table_changed) return false;
  DINETTE_CHECK(std::move(written.decision));
  return true;
}

}  // namespace

store::EntryWrite removal_of_tunnels(store::TableId table) {
  return {.space = entry_spaces::tunnels, .key = tunnels_key(table), .value = {}};
}

Answer<OpenTable> open_table_of_tunnels(const Context& context, std::string_view name) {
  DINETTE_CHECK(check_table_name(name));
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer table, context.store.catalog().open(name));
  if (!table || table->schema_as<TableSchema>().is_index()) return refuse::no_such_table_of_tunnel();
  return OpenTable{std::move(table)};
}

Answer<std::vector<Tunnel>> tunnels_of(const Context& context, const OpenTable& table) {
  return tunnels_of(context, table.table->id);
}

Answer<std::vector<Tunnel>> all_tunnels(const Context& context) {
  std::vector<Tunnel> all;
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  DINETTE_TABLESTORE_STORED(auto entries, view.scan(entry_spaces::tunnels, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, entries.next());
    if (!more) return all;
    const kv::Value entry = entries.shared_value();
    DINETTE_TABLESTORE_STORED(auto tunnels, unpacked(&entry));
    std::ranges::move(tunnels, std::back_inserter(all));
  }
}

Answer<OpenTunnel> open_tunnel(const Context& context, std::string_view tunnel_id) {
  const auto table_id = table_in(tunnel_id);
  if (!table_id) return refuse::no_such_tunnel();
  DINETTE_TRY(std::vector<Tunnel> tunnels, tunnels_of(context, *table_id));
  const auto found = std::ranges::find(tunnels, tunnel_id, &Tunnel::id);
  if (found == tunnels.end()) return refuse::no_such_tunnel();
  DINETTE_TRY(OpenTable table, open_table_of_tunnels(context, found->table_name));
  if (table.table->id != *table_id) return refuse::no_such_tunnel();
  return OpenTunnel{std::move(table), std::move(*found)};
}

Answer<OpenTunnel> open_tunnel_of(const Context& context, std::string_view table_name, std::string_view name,
                                  std::string_view tunnel_id) {
  DINETTE_TRY(OpenTable table, open_table_of_tunnels(context, table_name));
  DINETTE_TRY(std::vector<Tunnel> tunnels, tunnels_of(context, table));
  const auto found = std::ranges::find_if(tunnels, [&](const Tunnel& tunnel) {
    return tunnel_id.empty() ? tunnel.name == name : tunnel.id == tunnel_id;
  });
  if (found == tunnels.end()) return refuse::no_such_tunnel();
  return OpenTunnel{std::move(table), std::move(*found)};
}

Answer<void> change_tunnels(const Context& context, const OpenTable& table,
                            base::FunctionRef<Answer<void>(std::vector<Tunnel>& tunnels)> edit) {
  OpenTable current = table;
  for (;;) {
    DINETTE_TRY(const bool done, try_change(context, current, edit));
    if (done) return {};
    DINETTE_TRY(current, open_table_of_tunnels(context, table.table->name));
    if (current.table->id != table.table->id) return refuse::no_such_table_of_tunnel();
  }
}

Answer<void> change_tunnel(const Context& context, std::string_view tunnel_id,
                           base::FunctionRef<Answer<void>(const OpenTable& table, Tunnel& tunnel)> edit) {
  DINETTE_TRY(const OpenTunnel open, open_tunnel(context, tunnel_id));
  return change_tunnels(context, open.table, [&](std::vector<Tunnel>& tunnels) -> Answer<void> {
    const auto found = std::ranges::find(tunnels, tunnel_id, &Tunnel::id);
    if (found == tunnels.end()) return refuse::no_such_tunnel();
    return edit(open.table, *found);
  });
}

std::string new_tunnel_id(const Context& context, const OpenTable& table) {
  return std::to_string(table.table->id) + id_separator + context.store.ids().uuid();
}

Answer<TunnelChannel*> channel_of_client(const Context& context, Tunnel& tunnel, std::string_view client_id,
                                         std::string_view channel_id) {
  remove_silent_clients(tunnel, context.now);
  if (tunnel.client(client_id) == nullptr) return refuse::tunnel_client_gone(client_id);
  TunnelChannel* const channel = tunnel.channel(channel_id);
  if (channel == nullptr || channel->client != client_id)
    return refuse::channel_of_another_client(channel_id);
  return channel;
}

}  // namespace dinette::tablestore
