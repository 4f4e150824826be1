#include "dynamodb/partiql/read_source.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dynamodb/reads/read_checks.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::partiql {
namespace {

bool has_several_key_attributes(const IndexSchema& index) {
  const auto hashes = std::ranges::count(index.keys, true, &KeyAttribute::hash);
  return hashes > 1 || index.keys.size() - static_cast<std::size_t>(hashes) > 1;
}

Answer<const IndexSchema*> find_index(const TableSchema& schema, const Statement& statement) {
  const IndexSchema* index = nullptr;
  if (!statement.index) return index;
  index = schema.find_index(*statement.index);
  if (!index) return validation("The table does not have the specified index");
  if (has_several_key_attributes(*index)) {
    return validation(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute "
        "RANGE "
        "keys.");
  }
  return index;
}

/// Columns that entries of the index do not have, in written order, each once.
std::vector<std::string_view> unprojected(const TableSchema& schema, const IndexSchema& index,
                                          const Statement& statement) {
  std::vector<std::string_view> missing;
  if (!statement.columns) return missing;
  const expr::Parsed& columns = *statement.columns;
  for (const expr::Path path : columns.targets) {
    const std::string_view name = columns.names[columns.elements[path.first].number].text;
    const bool known = std::ranges::find(missing, name) != missing.end();
    if (!known && !schema.projects(index, name)) missing.push_back(name);
  }
  return missing;
}

/// Returns what must be read from the table because a local index does not project it.
Answer<ReachBack> reach_back_of(const TableSchema& schema, const IndexSchema* index,
                                const Statement& statement) {
  if (!index) return ReachBack::none;
  const std::vector<std::string_view> missing = unprojected(schema, *index, statement);
  if (missing.empty()) return ReachBack::none;
  if (index->local) return ReachBack::to_answer;
  std::string names;
  for (const std::string_view name : missing) names.append(names.empty() ? "" : ", ").append(name);
  return invalid("Global secondary index " + index->name + " does not project [" + names + "]");
}

/// Refuses columns that are functions. This precedes the lookup of the table, but not the check of the index.
Answer<void> refuse_columns(const Context& context, const Statement& statement) {
  if (statement.index) {
    const auto table = open_for_data(context, statement.table);
    if (table && table->schema().find_index(*statement.index))
      DINETTE_CHECK(find_index(table->schema(), statement));
  }
  return validation(statement.column_refusal);
}

}  // namespace

Answer<ReadSource> open_source(const Context& context, const Statement& statement, bool consistent) {
  if (!statement.column_refusal.empty()) DINETTE_CHECK(refuse_columns(context, statement));
  DINETTE_TRY(OpenTable table, open_for_data(context, statement.table));
  const TableSchema& schema = table.schema();
  DINETTE_TRY(const IndexSchema* const index, find_index(schema, statement));
  if (consistent && index && !index->local)
    return validation("Strongly consistent read is not supported on Global Secondary Indexes");
  DINETTE_CHECK(index_to_read(context, table, statement.index, false, false));
  DINETTE_TRY(const ReachBack reach_back, reach_back_of(schema, index, statement));
  const auto billing = state_at(table.record(), context.now).settings.billing_mode;
  std::optional<PartitionSpan> partitions;
  if (context.settings.partition_minimum && billing == api::BillingMode::pay_per_request)
    partitions.emplace();
  return ReadSource{std::move(table), ReadTarget(schema, index), reach_back, partitions};
}

}  // namespace dinette::dynamodb::partiql
