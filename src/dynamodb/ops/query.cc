#include <optional>
#include <variant>

#include "dynamodb/api/operations.h"
#include "dynamodb/expr/legacy_reads.h"
#include "dynamodb/ops/key_range.h"
#include "dynamodb/ops/read_checks.h"
#include "dynamodb/ops/read_rows.h"
#include "dynamodb/ops/request_checks.h"

// Order of the steps: facts, query-scan.md section 4 "Order of checks". Bespoke messages stand bare.
namespace dinette::dynamodb::ops {
namespace {

namespace legacy = expr::legacy;

/// The clauses of KeyConditionExpression or the legacy KeyConditions, with what they refer to: a copy's would
/// refer to the original.
struct KeySelection {
  KeySelection() = default;
  KeySelection(KeySelection&&) = default;
  KeySelection& operator=(KeySelection&&) = default;

  std::variant<expr::KeyCondition, std::vector<legacy::Condition>> owner;
  expr::KeyClauses clauses;
};

/// All that a request says, as far as it depends on no table.
struct Statement {
  KeySelection key;
  ItemFilter filter;
  ItemSelection selection;
};

Answer<void> check_members(const api::QueryInput& input) {
  DINETTE_CHECK(
      ExpressionFamilies()
          .legacy("AttributesToGet", input.attributes_to_get.has_value())
          .legacy("KeyConditions", input.key_conditions.has_value())
          .legacy("QueryFilter", input.query_filter.has_value())
          .legacy("ConditionalOperator", input.conditional_operator.has_value())
          .expression("ProjectionExpression", input.projection_expression.has_value())
          .expression("FilterExpression", input.filter_expression.has_value())
          .expression("KeyConditionExpression", input.key_condition_expression.has_value())
          .check(Envelope::none, input.expression_attribute_names, input.expression_attribute_values));
  if (!input.key_conditions && !input.key_condition_expression) {
    return validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  return check_select(input.select, projection_member(input), input.index_name.has_value(), Envelope::around);
}

Answer<KeySelection> legacy_key_selection(ConditionsInput& sent) {
  KeySelection key;
  key.owner = conditions_of(sent);
  auto clauses = legacy::key_clauses(std::get<1>(key.owner));
  if (!clauses) return validation(Envelope::none, clauses.error());
  key.clauses = std::move(clauses).value();
  return key;
}

Answer<KeySelection> key_selection(const Context& context, api::QueryInput& input,
                                   expr::Placeholders& placeholders) {
  if (input.key_conditions) return legacy_key_selection(input.key_conditions);
  const auto parsed = context.expressions.parse(expr::Kind::key_condition, *input.key_condition_expression,
                                                expr::SizeTail::printed);
  if (!parsed) return validation(Envelope::none, parsed.error());
  auto condition = expr::bind_key_condition(*parsed, placeholders);
  if (!condition) return validation(Envelope::none, condition.error());
  KeySelection key;
  key.clauses = condition->clauses;
  key.owner = std::move(condition).value();
  return key;
}

Answer<Statement> check(const Context& context, api::QueryInput& input) {
  DINETTE_CHECK(check_members(input));
  auto placeholders = placeholders_of(input.expression_attribute_names, input.expression_attribute_values);
  Statement statement;
  DINETTE_TRY(statement.key, key_selection(context, input, placeholders));
  DINETTE_TRY(statement.filter, item_filter(context, input.filter_expression, input.query_filter,
                                            input.conditional_operator, placeholders));
  DINETTE_TRY(statement.selection,
              item_selection(context, input.projection_expression, input.attributes_to_get, placeholders));
  DINETTE_CHECK(check_all_used(Envelope::none, placeholders));
  DINETTE_CHECK(check_problem(Envelope::none, problem_of(input.expression_attribute_values)));
  DINETTE_CHECK(check_problem(Envelope::none, problem_of(input.key_conditions)));
  DINETTE_CHECK(check_problem(Envelope::none, problem_of(input.query_filter)));
  if (input.exclusive_start_key) {
    DINETTE_CHECK(check_problem(Envelope::none, input.exclusive_start_key->problem));
  }
  return statement;
}

/// The attributes of the key that is queried belong into the key condition.
Answer<void> check_filter_leaves_key(const ReadTarget& target, const ItemFilter& filter) {
  for (const std::string_view attribute : filter.attributes()) {
    if (!target.is_key(attribute)) continue;
    return validation(
        std::string(filter.legacy() ? "QueryFilter" : "Filter Expression") +
        " can only contain non-primary key attributes: Primary key attribute: " + std::string(attribute));
  }
  return {};
}

store::Direction direction_of(const api::QueryInput& input) {
  return input.scan_index_forward.value_or(true) ? store::Direction::forward : store::Direction::backward;
}

/// The clauses with their bounds let in: a start key may lie at one.
expr::KeyClauses with_bounds(expr::KeyClauses range) {
  for (expr::KeyClause& clause : range) {
    if (clause.op == expr::KeyOperator::less) clause.op = expr::KeyOperator::less_equal;
    if (clause.op == expr::KeyOperator::greater) clause.op = expr::KeyOperator::greater_equal;
  }
  return range;
}

/// The keys that the clauses ask for, in the one partition that they name.
Answer<store::KeyRange> range_of(const ReadTarget& target, const Statement& statement,
                                 const api::QueryInput& input) {
  const auto matched = expr::match_key(statement.key.clauses, target.key());
  if (!matched) return validation(Envelope::none, matched.error());
  DINETTE_CHECK(check_filter_leaves_key(target, statement.filter));
  std::vector<const model::AttributeValue*> hash;
  for (const expr::KeyClause& clause : matched->hash) hash.push_back(clause.value);
  const std::string partition = target.encode_partition(hash);
  store::KeyRange range = key_range(partition, matched->range);
  if (!input.exclusive_start_key) return range;

  DINETTE_TRY(const std::string start, start_position(target, input.exclusive_start_key->attributes,
                                                      "The provided starting key is invalid"));
  if (!start.starts_with(partition)) {
    return validation("The provided starting key is outside query boundaries based on provided conditions");
  }
  // Users report this sentence for a start key of the right partition beyond the condition on the sort key.
  if (!key_range(partition, with_bounds(matched->range)).contains(start)) {
    return validation("The provided starting key does not match the range key predicate");
  }
  range.start_after(start, direction_of(input));
  return range;
}

}  // namespace

Answer<api::QueryOutput> query(const Context& context, api::QueryInput&& input) {
  DINETTE_TRY(const Statement statement, check(context, input));
  const auto range_in = [&](const ReadTarget& target) { return range_of(target, statement, input); };
  return read_rows<api::QueryOutput>(context, input, statement.filter, statement.selection,
                                     direction_of(input), range_in);
}

}  // namespace dinette::dynamodb::ops
