#include <optional>

#include "dynamodb/api/operations.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/expression_families.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/item_selection.h"
#include "dynamodb/ops/key_path_checks.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/read_view.h"
#include "dynamodb/ops/request_checks.h"

// Order of the steps: facts, items.md section 4. Bespoke messages stand bare on reads.
namespace dinette::dynamodb::ops {
namespace {

/// Everything that can be wrong with the request whatever the table is.
Answer<ItemSelection> check(const Context& context, const api::GetItemInput& input) {
  const ExpressionValues no_values;
  DINETTE_CHECK(ExpressionFamilies()
                    .legacy("AttributesToGet", input.attributes_to_get.has_value())
                    .expression("ProjectionExpression", input.projection_expression.has_value())
                    .check(Envelope::none, input.expression_attribute_names, no_values));
  DINETTE_CHECK(check_problem(Envelope::none, input.key.problem));
  auto placeholders = placeholders_of(input.expression_attribute_names, no_values);
  DINETTE_TRY(ItemSelection selection,
              item_selection(context, input.projection_expression, input.attributes_to_get, placeholders));
  DINETTE_CHECK(check_all_used(Envelope::none, placeholders));
  return selection;
}

}  // namespace

Answer<api::GetItemOutput> get_item(const Context& context, api::GetItemInput&& input) {
  DINETTE_TRY(const ItemSelection selection, check(context, input));
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_CHECK(check_key(table.schema(), input.key.attributes));
  DINETTE_CHECK(check_key_paths(table.schema(), selection.reached_into()));

  const bool consistent = input.consistent_read.value_or(false);
  DINETTE_TRY(const std::optional<kv::Value> row,
              read_item(context, *table.table, encode_key(table.schema(), input.key.attributes), consistent));
  api::GetItemOutput output;
  model::Work uncounted;
  if (row) selection.append_selected(*output.item.emplace().json, row->view(), uncounted);
  output.consumed_capacity = read_capacity(input.return_consumed_capacity, input.table_name,
                                           row ? codec::record_size(row->view()) : 0, consistent);
  return output;
}

}  // namespace dinette::dynamodb::ops
