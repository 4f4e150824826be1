#include "dynamodb/api/get_item.h"

#include <optional>

#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/reads/explain_read.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/tables/open_table.h"

// Order of the steps: docs/service/items.md section 4. Messages that are not of the model have no envelope on
// reads.
namespace dinette::dynamodb::ops {
namespace {

/// Checks everything that does not depend on the table.
Answer<ItemSelection> check(const Context& context, const api::GetItemInput& input) {
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(expressions.check_families(families_of(input)));
  DINETTE_CHECK(check_problem(context.envelope, input.key.problem));
  DINETTE_TRY(ItemSelection selection,
              item_selection(expressions, input.projection_expression, input.attributes_to_get));
  DINETTE_CHECK(expressions.check_all_used());
  return selection;
}

}  // namespace

Answer<api::GetItemOutput> get_item(const Context& context, api::GetItemInput&& input) {
  DINETTE_TRY(const ItemSelection selection, check(context, input));
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_CHECK(check_key(table.schema(), input.key.attributes));
  DINETTE_CHECK(check_key_paths(table.schema(), selection.reached_into()));

  const bool consistent = input.consistent_read;
  const std::string key = encode_key(table.schema(), input.key.attributes);
  const ReadPlace place{.table = *table.table, .key = key};
  if (context.gate) [[unlikely]]
    DINETTE_CHECK(admit_read(context, place, consistent));
  DINETTE_TRY(const std::optional<kv::Value> row, read_item(context, *table.table, key, consistent));
  api::GetItemOutput output;
  model::Work uncounted;
  if (row) {
    DINETTE_STORED([[maybe_unused]] const std::size_t size,
                   selection.append_selected(*output.item.emplace().json, row->view(), uncounted));
  }
  const std::size_t bytes = row ? codec::record_size(row->view()) : 0;
  const Charge charge{.table = read_units(bytes, consistent)};
  if (context.gate) [[unlikely]]
    take_read(context, place, charge.table);
  if (context.explanation) {
    explain_read(*context.explanation, input.table_name, table.schema(), input.key.attributes,
                 row.has_value(), charge.table);
  }
  if (wants_keys(context)) note_item(context, table, input.key.attributes, bytes);
  output.consumed_capacity =
      consumed_capacity(context, input.return_consumed_capacity, input.table_name, charge);
  return output;
}

}  // namespace dinette::dynamodb::ops
