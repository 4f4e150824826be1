#include "admin/cql.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/base64.h"

namespace dinette::admin {
namespace {

constexpr std::int32_t usual_page_rows = 100;
constexpr std::uint64_t most_page_rows = 1000;

constexpr std::array<std::string_view, 5> status_names = {"ACTIVE", "CREATING", "UPDATING", "DELETING",
                                                          "RESTORING"};
constexpr std::array<std::string_view, 4> kind_names = {"partition_key", "clustering", "static", "regular"};

std::string_view name_of(cql::DefinitionStatus status) {
  return status_names.at(static_cast<std::size_t>(status));
}

Json describe(const cql::ColumnDescription& column) {
  Json json = {{"name", column.name},
               {"type", column.type},
               {"kind", kind_names.at(static_cast<std::size_t>(column.kind))}};
  if (column.kind == cql::ColumnDescription::Kind::clustering)
    json["order"] = column.descending ? "desc" : "asc";
  return json;
}

Json describe(const cql::TableDescription& table) {
  Json columns = Json::array();
  for (const cql::ColumnDescription& column : table.columns) columns.push_back(describe(column));
  return {{"name", table.name},
          {"status", name_of(table.status)},
          {"columns", std::move(columns)},
          {"defaultTimeToLive", table.default_time_to_live},
          {"clientSideTimestamps", table.client_side_timestamps}};
}

Json describe(const cql::KeyspaceTables& one) {
  Json tables = Json::array();
  for (const cql::TableDescription& table : one.tables) tables.push_back(describe(table));
  return {
      {"name", one.keyspace.name}, {"status", name_of(one.keyspace.status)}, {"tables", std::move(tables)}};
}

Json describe(const cql::PromptRows& result) {
  Json columns = Json::array();
  for (const cql::PromptColumn& column : result.columns) {
    columns.push_back({{"keyspace", column.keyspace},
                       {"table", column.table},
                       {"name", column.name},
                       {"type", column.type}});
  }
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    Json values = Json::array();
    for (const std::optional<std::string>& value : row) values.push_back(value ? Json(*value) : Json());
    rows.push_back(std::move(values));
  }
  Json json = {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
  if (result.paging_state) json["pagingState"] = base::base64_encode(*result.paging_state);
  return json;
}

Json describe(const cql::PromptError& error) {
  Json json = {{"name", error.name}, {"message", error.message}};
  if (error.place) {
    json["line"] = error.place->line;
    json["column"] = error.place->column;
  }
  return json;
}

bool is_off(const Call& call, std::string_view header) {
  return call.request.header(header) == "off";
}

/// A browser sends a User-Agent of its own: what the page calls itself is in another header, as that of SDKs.
std::string_view agent_of(const Call& call) {
  if (const auto own = call.request.header("X-Amz-User-Agent")) return *own;
  return call.request.header("User-Agent").value_or("");
}

Result<std::optional<std::string>> read_paging_state(const Body& body) {
  DINETTE_TRY(const auto text, body.text("pagingState"));
  if (!text) return std::optional<std::string>();
  auto bytes = base::base64_decode(*text);
  if (!bytes) return bad_request("The member 'pagingState' must be the one of an earlier response.");
  return bytes;
}

}  // namespace

Answer list_keyspaces(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  const auto keyspaces = state.options.list_keyspaces(*chosen.world);
  if (!keyspaces) return storage_failed();
  Json list = Json::array();
  for (const cql::KeyspaceTables& one : *keyspaces) list.push_back(describe(one));
  Json json = {{"world", chosen.name}, {"keyspaces", std::move(list)}};
  if (const auto port = state.options.cql_port()) json["port"] = *port;
  return Reply{std::move(json)};
}

Answer run_cql(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world", "statement", "keyspace", "pageSize", "pagingState"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_TRY(const std::string text, call.body.name("statement"));
  if (text.empty()) return bad_request("The member 'statement' is missing.");
  DINETTE_TRY(const std::string keyspace, call.body.name("keyspace"));
  DINETTE_TRY(const auto page_size, call.body.whole("pageSize", 1, most_page_rows));
  DINETTE_TRY(const auto paging_state, read_paging_state(call.body));
  const cql::PromptStatement statement{
      .world = chosen.world,
      .world_name = chosen.name,
      .statement = text,
      .keyspace = keyspace,
      .page_size = static_cast<std::int32_t>(page_size.value_or(usual_page_rows)),
      .paging_state = paging_state,
      .remote = call.request.remote,
      .agent = agent_of(call),
      .listed = !is_off(call, "X-Dinette-Record"),
      .spared_by_faults = is_off(call, "X-Dinette-Faults")};
  const auto answer = state.options.run_cql(statement);
  Json json = {{"world", chosen.name}};
  if (!answer) {
    json["error"] = describe(answer.error());
    return Reply{std::move(json)};
  }
  if (answer->rows) json.update(describe(*answer->rows));
  if (answer->keyspace) json["keyspace"] = *answer->keyspace;
  return Reply{std::move(json)};
}

}  // namespace dinette::admin
