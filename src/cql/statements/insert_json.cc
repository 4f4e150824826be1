#include <map>
#include <utility>

#include "cql/statements/modification.h"
#include "cql/values/from_json.h"

namespace dinette::cql::statements {
namespace {

using Members = std::map<std::string, const JsonValue*, std::less<>>;

Answer<JsonValue> json_of(const Modification& statement, const Bindings& bindings) {
  DINETTE_TRY(const TermValue text, statement.json->evaluate(bindings));
  if (!text.has_bytes()) return invalid("Got null for INSERT JSON values");
  auto json = read_json(text.bytes);
  if (json && json->kind == JsonValue::Kind::null) return invalid("Got null for INSERT JSON values");
  if (json && json->kind == JsonValue::Kind::map) return *std::move(json);
  return invalid("Could not decode JSON string as a map: it is none. (String was: " + text.bytes + ")");
}

Answer<Members> members_of(const schema::Table& table, const JsonValue& json) {
  Members members;
  for (const auto& [name, value] : json.members) {
    std::string column = column_of_json(name);
    if (table.find_column(column) == nullptr) {
      return invalid("JSON values map contains unrecognized column: " + column);
    }
    members[std::move(column)] = &value;  // of several the last one
  }
  return members;
}

Answer<TermValue> value_of(const schema::Column& column, const JsonValue* json) {
  if (json == nullptr || json->kind == JsonValue::Kind::null) return TermValue{};
  auto bytes = value_from_json(column.type, *json);
  if (bytes) return TermValue::of(*std::move(bytes));
  return invalid("Error decoding JSON value for " + column.name + ": " + bytes.error().message);
}

}  // namespace

Answer<Modification> insert_of_json(const Modification& statement, const Bindings& bindings) {
  const schema::Table& table = statement.table();
  DINETTE_TRY(const JsonValue json, json_of(statement, bindings));
  DINETTE_TRY(const Members members, members_of(table, json));
  Modification out = statement;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const schema::Column& column = table.columns[i];
    const auto found = members.find(column.name);
    const bool given = found != members.end();
    if (!given && !column.in_key() && statement.json_unset) continue;
    DINETTE_TRY(TermValue value, value_of(column, given ? found->second : nullptr));
    Term term = Term::constant({column.name, column.type}, std::move(value));
    if (column.in_key()) {
      Restriction key{.columns = {i}, .equal = std::move(term), .types = {column.type}};
      const bool partition = column.kind == schema::ColumnKind::partition_key;
      (partition ? out.where.partition : out.where.clustering).push_back(std::move(key));
    } else {
      const bool is_static = column.kind == schema::ColumnKind::static_;
      (is_static ? out.static_operations : out.operations)
          .push_back({.kind = Operation::Kind::set, .column = &column, .value = std::move(term)});
    }
  }
  return out;
}

}  // namespace dinette::cql::statements
