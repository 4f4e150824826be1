#include "dynamodb/bulk/bulk_line.h"

#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/expr/binder.h"
#include "dynamodb/imports/imported_item.h"
#include "dynamodb/request/expression_families.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/tasks/kept_json.h"

namespace dinette::dynamodb {
namespace {

/// Checks and binds conditions as PutItem does.
Answer<ItemCondition> bind(expr::Cache& expressions, const api::BulkCondition& given) {
  codec::FamilyMembers members;
  if (given.condition_expression) members.expressions.push_back("ConditionExpression");
  const auto& names = given.expression_attribute_names;
  const auto& values = given.expression_attribute_values;
  DINETTE_CHECK(check_families(members, Envelope::none, names, values));
  DINETTE_CHECK(check_problem(Envelope::none, problem_of(values)));
  if (!given.condition_expression) return ItemCondition();
  expr::Placeholders placeholders = placeholders_of(names, values);
  const auto parsed =
      expressions.parse(expr::Kind::condition, *given.condition_expression, expr::SizeTail::omitted);
  if (!parsed) return validation(Envelope::none, parsed.error());
  auto condition = expr::bind_condition(*parsed, placeholders);
  if (!condition) return validation(Envelope::none, condition.error());
  DINETTE_CHECK(check_all_used(Envelope::none, placeholders));
  return ItemCondition(std::move(condition).value());
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
