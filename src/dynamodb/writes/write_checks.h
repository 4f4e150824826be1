#pragma once

#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/request/context.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/write_condition.h"

/// Steps that PutItem, UpdateItem and DeleteItem share.
namespace dinette::dynamodb {

/// Checks that PutItem and DeleteItem return old values or nothing.
Answer<void> check_returns_old_or_none(Envelope envelope, api::ReturnValue wanted);

/// Returns the condition of a PutItem or DeleteItem that passes every check that needs no table. Takes the
/// values out of `input.expected`. `problem` is what is wrong with the Item or Key (docs/service/items.md
/// section 4, steps 3 to 5).
template <class Input>
Answer<ItemCondition> put_or_delete_condition(const Context& context, Input& input,
                                              const std::optional<codec::ValueProblem>& problem) {
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(expressions.check_families(families_of(input), context.reading));
  DINETTE_CHECK(check_returns_old_or_none(context.envelope, input.return_values));
  DINETTE_CHECK(expressions.check_typed({problem_of(input.expected)}));
  DINETTE_TRY(ItemCondition condition,
              expected_condition(context.envelope, input.expected, input.conditional_operator));
  DINETTE_CHECK(expressions.check_problems(
      {problem_of(problem), problem_of(input.expected), problem_of(input.expression_attribute_values)}));
  if (!input.condition_expression) return condition;
  DINETTE_TRY(condition, expressions.condition<ItemCondition>(*input.condition_expression));
  DINETTE_CHECK(expressions.check_all_used());
  return condition;
}

}  // namespace dinette::dynamodb
