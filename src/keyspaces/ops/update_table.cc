#include "keyspaces/api/update_table.h"

#include <string>
#include <utility>

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {
namespace {

Answer<std::string> added_columns(const std::vector<api::ColumnDefinition>& columns) {
  std::string added;
  for (const api::ColumnDefinition& column : columns) {
    DINETTE_TRY(const std::string text, column_of(column.name, column.type));
    added.append(added.empty() ? " ADD (" : ", ").append(text);
  }
  return added + ")";
}

}  // namespace

Answer<api::UpdateTableOutput> update_table(const Context& context, api::UpdateTableInput&& input) {
  DINETTE_TRY(const auto table, open_table(context, input.keyspace_name, input.table_name));
  DINETTE_CHECK(check_active("Table " + table.keyspace + "." + table.name, table.status));
  const TableSettings settings = settings_of(input);
  const std::size_t changes = count_of(settings) + (input.add_columns ? 1 : 0);
  if (changes != 1) return not_valid("UpdateTable changes exactly one setting of a table per request.");
  std::string change;
  if (input.add_columns) {
    DINETTE_TRY(change, added_columns(*input.add_columns));
  } else {
    CqlProperties properties;
    add_settings(settings, properties);
    if (properties.empty()) return not_valid("The setting that UpdateTable changes has no value.");
    change = properties.cql();
  }
  DINETTE_CHECK(define(context, "ALTER TABLE " + quoted_name(table.keyspace, table.name) + change));
  return api::UpdateTableOutput{table.arn};
}

}  // namespace dinette::keyspaces::ops
