#include "dynamodb/bulk/bulk_line.h"

#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/imports/imported_item.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/tasks/kept_json.h"

namespace dinette::dynamodb {
namespace {

/// Checks and binds conditions as PutItem does.
Answer<ItemCondition> bind(expr::Cache& cache, const api::BulkCondition& given) {
  codec::FamilyMembers members;
  if (given.condition_expression) members.expressions.push_back("ConditionExpression");
  RequestExpressions expressions(&cache, Envelope::none, given.expression_attribute_names,
                                 given.expression_attribute_values);
  DINETTE_CHECK(expressions.check_families(members));
  DINETTE_CHECK(expressions.check_problems({problem_of(given.expression_attribute_values)}));
  DINETTE_TRY(ItemCondition condition, expressions.condition<ItemCondition>(given.condition_expression));
  DINETTE_CHECK(expressions.check_all_used());
  return condition;
}

Answer<std::unique_ptr<const BulkPut::Condition>> condition_of(expr::Cache& expressions,
                                                               std::string_view text) {
  auto given = decode_kept<api::BulkCondition>(text);
  if (!given) return validation("The condition of the item has members of wrong types");
  auto condition = std::make_unique<BulkPut::Condition>();
  condition->members = *std::move(given);
  DINETTE_TRY(condition->bound, bind(expressions, condition->members));
  return std::unique_ptr<const BulkPut::Condition>(std::move(condition));
}

}  // namespace

Answer<BulkPut> bulk_put_of(const TableSchema& schema, expr::Cache& expressions, std::string_view item,
                            std::string_view condition) {
  BulkPut put;
  ActionCondition of_action;
  if (!condition.empty()) {
    DINETTE_TRY(put.condition, condition_of(expressions, condition));
    of_action = {&put.condition->bound, api::ReturnValuesOnConditionCheckFailure::all_old};
  }
  DINETTE_TRY(put.action, put_of(schema, item, of_action));
  put.item = item;
  return put;
}

}  // namespace dinette::dynamodb
