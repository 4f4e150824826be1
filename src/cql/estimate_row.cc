#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/cql/row_size.h"
#include "dinette/cql/service.h"
#include "dinette/tenancy/worlds.h"

#include "cql/data/record.h"
#include "cql/data/row_key.h"
#include "cql/data/row_size.h"
#include "cql/error.h"
#include "cql/grammar/lexer.h"
#include "cql/grammar/parse.h"
#include "cql/recovery/restore_table.h"
#include "cql/schema/place.h"
#include "cql/schema/table_schema.h"
#include "cql/statements/execute.h"

namespace dinette::cql {
namespace {

constexpr std::string_view own_keyspace = "estimate";

tenancy::WorldsOptions own_world_options() {
  tenancy::WorldsOptions options;
  options.faces = {world_face()};
  options.run_jobs = false;
  return options;
}

/// Returns the statements between semicolons.
Answer<std::vector<std::string_view>> statements_of(std::string_view text) {
  DINETTE_TRY(const auto tokens, grammar::tokenize(text));
  std::vector<std::string_view> statements;
  const char* begin = nullptr;
  for (const grammar::Token& token : tokens) {
    const bool ends = token.kind == grammar::TokenKind::end || token.source == ";";
    if (!ends && begin == nullptr) begin = token.source.data();
    if (!ends || begin == nullptr) continue;
    const char* const end =
        token.kind == grammar::TokenKind::end ? text.data() + text.size() : token.source.data();
    statements.emplace_back(begin, static_cast<std::size_t>(end - begin));
    begin = nullptr;
  }
  return statements;
}

/// Has a statement define something in the own keyspace, whatever keyspace it names. Returns the name of the
/// table; nothing of a type.
Answer<std::optional<std::string>> define(const Place& place, std::string_view text) {
  DINETTE_TRY(grammar::Statement statement, grammar::parse(text));
  auto* const table = std::get_if<grammar::CreateTable>(&statement.value);
  auto* const type = std::get_if<grammar::CreateType>(&statement.value);
  if (table != nullptr) {
    table->table.keyspace = own_keyspace;
  } else if (type != nullptr) {
    type->type.keyspace = own_keyspace;
  } else {
    return invalid("A row size needs CREATE TABLE, and perhaps CREATE TYPE; this is another statement.");
  }
  DINETTE_TRY([[maybe_unused]] const auto defined,
              recovery::execute_definition(place, own_keyspace, statement));
  return table != nullptr ? std::optional(table->table.name) : std::nullopt;
}

Answer<void> insert(const Place& place, const std::string& table, std::string_view row) {
  const std::string text = "INSERT INTO \"" + table + "\" JSON ? DEFAULT UNSET";
  DINETTE_TRY(grammar::Statement statement, grammar::parse(text));
  DINETTE_TRY(const auto plan, statements::prepare(place, own_keyspace, std::move(statement)));
  const frames::Value value{frames::Value::State::bytes, row};
  DINETTE_TRY([[maybe_unused]] const auto outcome,
              statements::execute(place, *plan, std::span(&value, 1), {}));
  return {};
}

/// Measures what the table has: one row, and perhaps static cells of its partition.
Answer<RowEstimate> measure(const Place& place, const std::string& name, SizeFormula formula) {
  RowEstimate estimate;
  DINETTE_CQL_STORED(const store::TablePointer stored,
                     place.store.catalog().open(std::string(own_keyspace) + "." + name));
  const schema::Table& table = stored->schema_as<schema::TableSchema>().table();
  DINETTE_CQL_STORED(const store::View view, place.store.view());
  DINETTE_CQL_STORED(auto cursor, view.scan(*stored, store::Area::rows(), {}, store::Direction::forward));
  for (;;) {
    DINETTE_CQL_STORED(const bool more, cursor.next());
    if (!more) return estimate;
    data::ReadKey key;
    if (!data::read_key(table, cursor.key(), key)) continue;
    if (key.is_row) {
      DINETTE_CQL_STORED(const data::Row row, data::decode_row(cursor.value()));
      estimate.row = data::row_size(table, formula, key.partition, row);
    } else {
      DINETTE_CQL_STORED(const data::Partition partition, data::decode_partition(cursor.value()));
      estimate.statics = data::static_size(table, key.partition, partition.statics);
    }
  }
}

/// Writes the row in a world of its own, which ends afterwards: so it is checked as any row is.
Answer<RowEstimate> estimate(std::string_view schema, std::string_view row, SizeFormula formula) {
  DINETTE_TRY(const auto statements, statements_of(schema));
  const base::SystemClock clock;
  base::SystemIds ids;
  tenancy::Worlds worlds(own_world_options(), clock, ids);
  DINETTE_CQL_STORED(const auto world, worlds.pick(""));
  const Place place{.world = *world, .store = world->store(face_id), .now = clock.now()};
  DINETTE_TRY(const grammar::Statement keyspace,
              grammar::parse("CREATE KEYSPACE " + std::string(own_keyspace) +
                             " WITH replication = {'class': 'SingleRegionStrategy'}"));
  DINETTE_TRY([[maybe_unused]] const auto created, recovery::execute_definition(place, "", keyspace));
  std::optional<std::string> table;
  for (const std::string_view text : statements) {
    DINETTE_TRY(auto name, define(place, text));
    if (name && table) return invalid("A row size needs one CREATE TABLE; these are two.");
    if (name) table = std::move(name);
  }
  if (!table) return invalid("A row size needs a CREATE TABLE.");
  DINETTE_CHECK(insert(place, *table, row));
  return measure(place, *table, formula);
}

}  // namespace

base::Result<RowEstimate, std::string> estimate_row(std::string_view schema, std::string_view row,
                                                    SizeFormula formula) {
  auto answer = estimate(schema, row, formula);
  if (!answer) return base::Failure{answer.error().message};
  return *std::move(answer);
}

}  // namespace dinette::cql
