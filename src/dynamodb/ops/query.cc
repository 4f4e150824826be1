#include <optional>
#include <variant>

#include "dynamodb/api/operations.h"
#include "dynamodb/expr/legacy_reads.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/item_page.h"
#include "dynamodb/ops/key_range.h"
#include "dynamodb/ops/read_checks.h"
#include "dynamodb/ops/write_checks.h"

// Order of the steps: facts, query-scan.md section 4 "Order of checks". Bespoke messages stand bare.
namespace dinette::dynamodb::ops {
namespace {

namespace legacy = expr::legacy;

/// The clauses of KeyConditionExpression or the legacy KeyConditions, with what they refer to.
struct KeyClauses {
  std::variant<expr::KeyCondition, std::vector<legacy::Condition>> owner;
  expr::KeyClauses clauses;
};

/// All that a request says, as far as it depends on no table.
struct Statement {
  KeyClauses key;
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

Answer<KeyClauses> legacy_key_clauses(ConditionsInput& sent) {
  KeyClauses key{.owner = conditions_of(sent), .clauses = {}};
  auto clauses = legacy::key_clauses(std::get<1>(key.owner));
  if (!clauses) return validation(Envelope::none, clauses.error());
  key.clauses = std::move(clauses).value();
  return key;
}

Answer<KeyClauses> key_clauses(const Context& context, api::QueryInput& input,
                               expr::Placeholders& placeholders) {
  if (input.key_conditions) return legacy_key_clauses(input.key_conditions);
  const auto parsed = context.expressions.parse(expr::Kind::key_condition, *input.key_condition_expression,
                                                expr::SizeTail::printed);
  if (!parsed) return validation(Envelope::none, parsed.error());
  auto condition = expr::bind_key_condition(*parsed, placeholders);
  if (!condition) return validation(Envelope::none, condition.error());
  expr::KeyClauses clauses = condition->clauses;
  return KeyClauses{.owner = std::move(condition).value(), .clauses = std::move(clauses)};
}

Answer<Statement> check(const Context& context, api::QueryInput& input) {
  DINETTE_CHECK(check_members(input));
  auto placeholders = placeholders_of(input.expression_attribute_names, input.expression_attribute_values);
  Statement statement;
  DINETTE_TRY(statement.key, key_clauses(context, input, placeholders));
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

Answer<void> check_filter_against(const ReadTarget& target, const ItemFilter& filter) {
  if (filter.expression()) {
    const auto checked = expr::check_filter(*filter.expression(), target.key());
    if (!checked) return validation(Envelope::none, checked.error());
  }
  if (filter.legacy()) {
    std::vector<std::string_view> names;
    for (const expr::KeyPart& part : target.key()) names.push_back(part.attribute);
    const auto checked = legacy::check_filters_no_key(*filter.legacy(), names);
    if (!checked) return validation(Envelope::none, checked.error());
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
  DINETTE_CHECK(check_filter_against(target, statement.filter));
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
  const bool consistent = input.consistent_read.value_or(false);
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_TRY(const IndexSchema* const index, find_index(context, table, input.index_name, consistent));
  const ReadTarget target(table.schema(), index);
  DINETTE_TRY(store::KeyRange range, range_of(target, statement, input));
  DINETTE_TRY(const ReachBack reach_back,
              check_reach(target, input.select, statement.selection, statement.filter));

  const bool count_only = input.select == api::Select::count;
  DINETTE_TRY(ItemPage page, read_page(context, *table.table,
                                       {.target = target,
                                        .range = std::move(range),
                                        .direction = direction_of(input),
                                        .limit = static_cast<std::size_t>(input.limit.value_or(0)),
                                        .filter = statement.filter,
                                        .selection = statement.selection,
                                        .count_only = count_only,
                                        .consistent = consistent,
                                        .reach_back = reach_back}));
  api::QueryOutput output;
  output.consumed_capacity =
      page_capacity(input.return_consumed_capacity, input.table_name, target, page, consistent);
  answer_page(output, std::move(page), count_only);
  return output;
}

}  // namespace dinette::dynamodb::ops
