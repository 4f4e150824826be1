#include "dynamodb/api/update_item.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/writes/actions/update_action.h"
#include "dynamodb/writes/key_update_checks.h"
#include "dynamodb/writes/returned_attributes.h"
#include "dynamodb/writes/write_checks.h"
#include "dynamodb/writes/write_output.h"
#include "dynamodb/writes/write_to_table.h"

// Order of the steps: docs/service/expressions.md section 7 "Order".
namespace dinette::dynamodb::ops {
namespace {

struct Statement {
  ItemUpdate update;
  ItemCondition condition;
};

Answer<void> read_legacy(Envelope envelope, api::UpdateItemInput& input, Statement& statement) {
  DINETTE_TRY(ItemCondition expected,
              expected_condition(envelope, input.expected, input.conditional_operator));
  if (!input.condition_expression) statement.condition = std::move(expected);
  if (input.attribute_updates) {
    DINETTE_TRY(statement.update, attribute_updates(envelope, input.attribute_updates));
  }
  return {};
}

// A statement is large, so it is made where it stays.
/// Checks everything that does not depend on the table.
Answer<void> check(const Context& context, api::UpdateItemInput& input, Statement& statement) {
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(expressions.check_families(families_of(input), context.reading, expr::Kind::update));
  DINETTE_CHECK(expressions.check_typed({problem_of(input.expression_attribute_values),
                                         problem_of(input.attribute_updates), problem_of(input.expected)}));
  DINETTE_TRY(statement.update, expressions.update<ItemUpdate>(input.update_expression));
  if (input.condition_expression) {  // moving an empty condition would cost 200 instructions
    DINETTE_TRY(statement.condition, expressions.condition<ItemCondition>(input.condition_expression));
  }
  DINETTE_CHECK(expressions.check_all_used());
  DINETTE_CHECK(read_legacy(context.envelope, input, statement));
  return expressions.check_problems({problem_of(input.key.problem),
                                     problem_of(input.expression_attribute_values),
                                     problem_of(input.attribute_updates), problem_of(input.expected)});
}

/// Returns nothing if the table was altered since it was opened.
Answer<std::optional<api::UpdateItemOutput>> update(const Context& context, const OpenTable& table,
                                                    const api::UpdateItemInput& input,
                                                    const Statement& statement) {
  const TableSchema& schema = table.schema();
  DINETTE_CHECK(check_key(schema, input.key.attributes));
  DINETTE_CHECK(check_key_paths(schema, statement.update.reached_into()));
  DINETTE_CHECK(check_key_paths(schema, statement.condition.reached_into()));
  DINETTE_CHECK(check_leaves_key_alone(schema, statement.update.attributes()));

  UpdateAction action(schema, input.key.attributes, statement.update,
                      {&statement.condition, input.return_values_on_condition_check_failure},
                      context.envelope, UpdateAction::Limited::statement);
  DINETTE_TRY(std::optional<WrittenItem> written, write_only_item(context, table, input, action));
  if (!written) return std::optional<api::UpdateItemOutput>();
  DINETTE_TRY(api::UpdateItemOutput output,
              write_output<api::UpdateItemOutput>(context, table, input, action, *written));
  DINETTE_TRY(output.attributes,
              returned_attributes(input.return_values, statement.update, action.item(), *written));
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::UpdateItemOutput> update_item(const Context& context, api::UpdateItemInput&& input) {
  Statement statement;
  DINETTE_CHECK(check(context, input, statement));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return update(context, table, input, statement); });
}

}  // namespace dinette::dynamodb::ops
