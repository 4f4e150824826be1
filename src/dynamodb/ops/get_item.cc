#include <optional>
#include <variant>

#include "dynamodb/api/operations.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/expr/legacy_reads.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/write_checks.h"

// Order of the steps: facts, items.md section 4. Bespoke messages stand bare on reads.
namespace dinette::dynamodb::ops {
namespace {

/// Everything that can be wrong with the request whatever the table is; gives the projection, if there is
/// one.
Answer<std::optional<expr::Projection>> check(const Context& context, const api::GetItemInput& input) {
  const ExpressionValues no_values;
  DINETTE_CHECK(ExpressionFamilies()
                    .legacy("AttributesToGet", input.attributes_to_get.has_value())
                    .expression("ProjectionExpression", input.projection_expression.has_value())
                    .check(Envelope::none, input.expression_attribute_names, no_values));
  DINETTE_CHECK(check_problem(Envelope::none, input.key.problem));
  if (input.attributes_to_get) {
    const auto names = expr::legacy::check_attributes_to_get(*input.attributes_to_get);
    if (!names) return validation(Envelope::none, names.error());
  }
  if (!input.projection_expression) return std::optional<expr::Projection>();
  auto placeholders = placeholders_of(input.expression_attribute_names, no_values);
  const auto parsed = context.expressions.parse(expr::Kind::projection, *input.projection_expression,
                                                expr::SizeTail::printed);
  if (!parsed) return validation(Envelope::none, parsed.error());
  auto projection = expr::bind_projection(*parsed, placeholders);
  if (!projection) return validation(Envelope::none, projection.error());
  DINETTE_CHECK(check_all_used(Envelope::none, placeholders));
  return std::optional(std::move(projection).value());
}

/// The asked-for part of a stored item. The whole item needs no reading, only copying.
codec::ItemText select(StoredItem& stored, const api::GetItemInput& input,
                       const std::optional<expr::Projection>& projection) {
  if (projection) return codec::to_text(projection->project(*stored.item()));
  if (input.attributes_to_get) {
    return codec::to_text(expr::legacy::pick_attributes(*input.attributes_to_get, *stored.item()));
  }
  return stored.text();
}

}  // namespace

Answer<api::GetItemOutput> get_item(const Context& context, api::GetItemInput&& input) {
  DINETTE_TRY(const std::optional<expr::Projection> projection, check(context, input));
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_CHECK(check_key(table.schema(), input.key.attributes));

  DINETTE_STORED(const std::optional<kv::Value> row,
                 context.store.read_row(*table.table, encode_key(table.schema(), input.key.attributes)));
  StoredItem stored(row ? &*row : nullptr);
  api::GetItemOutput output;
  if (stored.exists()) output.item = select(stored, input, projection);
  output.consumed_capacity = read_capacity(input.return_consumed_capacity, input.table_name, stored.size(),
                                           input.consistent_read.value_or(false));
  return output;
}

}  // namespace dinette::dynamodb::ops
