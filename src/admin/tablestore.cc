#include "admin/tablestore.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dinette/base/base64.h"

namespace dinette::admin {
namespace {

constexpr std::uint64_t usual_rows = 20;
constexpr std::uint64_t most_rows = 100;
constexpr std::uint64_t most_versions = std::numeric_limits<std::int32_t>::max();

/// In the order of tablestore::ColumnType.
constexpr std::array<std::string_view, 5> type_names = {"INTEGER", "DOUBLE", "BOOLEAN", "STRING", "BINARY"};

Json describe(const tablestore::ListedColumn& column) {
  Json json = {{"name", column.name}, {"type", type_names.at(static_cast<std::size_t>(column.type))}};
  if (column.auto_increment) json["autoIncrement"] = true;
  return json;
}

Json describe(const std::vector<tablestore::ListedColumn>& columns) {
  Json list = Json::array();
  for (const tablestore::ListedColumn& column : columns) list.push_back(describe(column));
  return list;
}

Json describe(const tablestore::ListedTable& table) {
  Json indexes = Json::array();
  for (const tablestore::ListedIndex& index : table.indexes) {
    indexes.push_back({{"name", index.name},
                       {"kind", index.is_local ? "LOCAL" : "GLOBAL"},
                       {"key", describe(index.key)},
                       {"attributes", index.attributes}});
  }
  return {{"name", table.name},
          {"key", describe(table.key)},
          {"definedColumns", describe(table.defined_columns)},
          {"timeToLive", table.time_to_live},
          {"maxVersions", table.max_versions},
          {"maxVersionOffset", table.max_version_offset},
          {"hasStream", table.has_stream},
          {"indexes", std::move(indexes)},
          {"searchIndexes", table.search_indexes}};
}

Json describe(const tablestore::ListedInstance& instance) {
  Json tables = Json::array();
  for (const tablestore::ListedTable& table : instance.tables) tables.push_back(describe(table));
  return {{"name", instance.name}, {"tables", std::move(tables)}};
}

/// Returns the shortest text that is read as this number.
std::string digits_of(double number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Numbers are texts, since readers of JSON lose digits of 64 bits.
std::string text_of(const tablestore::BrowsedValue& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* const number = std::get_if<double>(&value)) return digits_of(*number);
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* const binary = std::get_if<tablestore::BinaryValue>(&value))
    return base::base64_encode(binary->bytes);
  return std::get<std::string>(value);
}

Json describe(const tablestore::BrowsedRow& row) {
  Json key = Json::array();
  for (const tablestore::BrowsedKeyColumn& column : row.key) {
    key.push_back({{"name", column.name},
                   {"type", type_names.at(column.value.index())},
                   {"value", text_of(column.value)}});
  }
  Json cells = Json::array();
  for (const tablestore::BrowsedCell& cell : row.cells) {
    cells.push_back({{"name", cell.name},
                     {"type", type_names.at(cell.value.index())},
                     {"version", cell.version},
                     {"value", text_of(cell.value)}});
  }
  return {{"key", std::move(key)}, {"cells", std::move(cells)}};
}

base::Failure<Error> refused(const tablestore::BrowseRefusal& refusal) {
  constexpr int internal_error = 500;
  if (refusal.status >= internal_error) return storage_failed();
  return bad_request(refusal.code + ": " + refusal.message);
}

Result<std::string> required(const Call& call, std::string_view name) {
  const auto text = call.query.find(name);
  if (!text || text->empty()) return bad_request("The parameter '" + std::string(name) + "' is missing.");
  return std::string(*text);
}

/// Reads an array of JSON that has only texts and integers.
Result<std::vector<std::string>> read_values(const Call& call, std::string_view name) {
  std::vector<std::string> values;
  const auto text = call.query.find(name);
  if (!text) return values;
  const auto keep = [](int depth, Json::parse_event_t, Json&) { return depth <= 1; };
  const Json list = text->size() <= most_body_bytes ? Json::parse(*text, keep, false) : Json();
  const auto wrong = [&] {
    return bad_request("The parameter '" + std::string(name) +
                       "' is an array of JSON with texts and whole numbers.");
  };
  if (!list.is_array()) return wrong();
  for (const Json& value : list) {
    if (!value.is_string() && !value.is_number_integer()) return wrong();
    values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return values;
}

Result<bool> read_direction(const Call& call) {
  const auto text = call.query.find("direction");
  if (!text || *text == "forward") return false;
  if (*text == "backward") return true;
  return bad_request("The parameter 'direction' is forward or backward.");
}

Result<void> read_versions(const Call& call, tablestore::RowQuestion& question) {
  if (call.query.find("maxVersions")) {
    DINETTE_TRY(const std::uint64_t most, number_parameter(call, "maxVersions", 1, {1, most_versions}));
    question.max_versions = static_cast<std::int32_t>(most);
  }
  if (!call.query.find("from") && !call.query.find("until")) return {};
  const NumberRange times{0, largest_integer};
  DINETTE_TRY(const std::uint64_t from, number_parameter(call, "from", 0, times));
  DINETTE_TRY(const std::uint64_t until, number_parameter(call, "until", largest_integer, times));
  question.time_range.emplace(from, until);
  return {};
}

Result<tablestore::RowQuestion> read_question(const Call& call) {
  tablestore::RowQuestion question;
  DINETTE_TRY(question.instance, required(call, "instance"));
  DINETTE_TRY(question.table, required(call, "table"));
  DINETTE_TRY(question.begin, read_values(call, "begin"));
  DINETTE_TRY(question.end, read_values(call, "end"));
  DINETTE_TRY(question.backward, read_direction(call));
  DINETTE_CHECK(read_versions(call, question));
  DINETTE_TRY(const std::uint64_t limit, number_parameter(call, "limit", usual_rows, {1, most_rows}));
  question.limit = static_cast<std::int32_t>(limit);
  if (const auto next = call.query.find("next")) {
    auto bytes = base::base64_decode(*next);
    if (!bytes || bytes->empty())
      return bad_request("The parameter 'next' is the one of an earlier response.");
    question.next = *std::move(bytes);
  }
  return question;
}

}  // namespace

Answer list_tablestore_tables(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  const auto instances = state.options.list_instances(*chosen.world);
  if (!instances) return refused(instances.error());
  Json list = Json::array();
  for (const tablestore::ListedInstance& instance : *instances) list.push_back(describe(instance));
  return Reply{{{"world", chosen.name}, {"instances", std::move(list)}}};
}

Answer read_tablestore_rows(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_TRY(const tablestore::RowQuestion question, read_question(call));
  const auto answer = state.options.read_rows(*chosen.world, question);
  if (!answer) return refused(answer.error());
  Json rows = Json::array();
  for (const tablestore::BrowsedRow& row : answer->rows) rows.push_back(describe(row));
  Json json = {{"world", chosen.name}, {"rows", std::move(rows)}};
  if (answer->next) json["next"] = base::base64_encode(*answer->next);
  return Reply{std::move(json)};
}

}  // namespace dinette::admin
