#include "keyspaces/api/create_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {
namespace {

template <class Element>
std::string joined_names(const std::vector<Element>& elements) {
  std::string names;
  for (const Element& element : elements)
    names.append(names.empty() ? "" : ", ").append(quoted_name(element.name));
  return names;
}

Answer<std::string> columns_of(const api::SchemaDefinition& schema) {
  std::string columns;
  for (const api::ColumnDefinition& column : schema.all_columns) {
    DINETTE_TRY(const std::string text, column_of(column.name, column.type));
    const bool is_static = schema.static_columns &&
                           std::ranges::find(*schema.static_columns, column.name, &api::StaticColumn::name) !=
                               schema.static_columns->end();
    columns.append(text).append(is_static ? " STATIC, " : ", ");
  }
  return columns;
}

std::string key_of(const api::SchemaDefinition& schema) {
  std::string key = "PRIMARY KEY ((" + joined_names(schema.partition_keys) + ")";
  if (schema.clustering_keys && !schema.clustering_keys->empty())
    key += ", " + joined_names(*schema.clustering_keys);
  return key + ")";
}

Answer<void> check_static_columns(const api::SchemaDefinition& schema) {
  if (!schema.static_columns) return {};
  for (const api::StaticColumn& column : *schema.static_columns) {
    if (std::ranges::find(schema.all_columns, column.name, &api::ColumnDefinition::name) ==
        schema.all_columns.end())
      return not_valid("Unknown definition " + column.name + " referenced in staticColumns");
  }
  return {};
}

void add_order(const api::SchemaDefinition& schema, CqlProperties& properties) {
  if (!schema.clustering_keys || schema.clustering_keys->empty()) return;
  std::string order;
  for (const api::ClusteringKey& key : *schema.clustering_keys) {
    order.append(order.empty() ? "" : ", ")
        .append(quoted_name(key.name))
        .append(" ")
        .append(to_string(key.order_by));
  }
  properties.add_clause("CLUSTERING ORDER BY (" + order + ")");
}

}  // namespace

Answer<api::CreateTableOutput> create_table(const Context& context, api::CreateTableInput&& input) {
  DINETTE_CHECK(open_keyspace(context, input.keyspace_name));
  DINETTE_CHECK(check_static_columns(input.schema_definition));
  DINETTE_TRY(const std::string columns, columns_of(input.schema_definition));
  CqlProperties properties;
  add_order(input.schema_definition, properties);
  if (input.comment) properties.add("comment", quoted_text(input.comment->message));
  add_settings(settings_of(input), properties);
  if (input.tags) properties.add("tags", map_of(*input.tags));
  DINETTE_CHECK(define(context, "CREATE TABLE " + quoted_name(input.keyspace_name, input.table_name) + " (" +
                                    columns + key_of(input.schema_definition) + ")" + properties.cql()));
  DINETTE_TRY(const auto created, open_table(context, input.keyspace_name, input.table_name));
  return api::CreateTableOutput{created.arn};
}

}  // namespace dinette::keyspaces::ops
