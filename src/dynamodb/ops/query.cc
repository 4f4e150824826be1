#include "dynamodb/api/query.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/legacy_reads.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_text.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/reads/key_range.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_rows.h"
#include "dynamodb/request/request_checks.h"

// Order of the steps: docs/service/query-scan.md section 4 "Order of checks". Messages that are not of the
// model have no envelope, but for those about Select in the current layer.
namespace dinette::dynamodb::ops {
namespace {

namespace legacy = expr::legacy;

/// KeyConditionExpression or the legacy KeyConditions.
using KeySelection = std::variant<expr::KeyCondition, std::vector<legacy::Condition>>;

/// All that a request says, as far as it depends on no table.
struct QueryStatement {
  KeySelection key;
  ItemFilter filter;
  ItemSelection selection;
};

Answer<void> check_members(const Context& context, const RequestExpressions& expressions,
                           const api::QueryInput& input) {
  DINETTE_CHECK(expressions.check_families(families_of(input)));
  if (!input.key_conditions && !input.key_condition_expression) {
    return validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  return check_select(context, input.select, projection_member(input), input.index_name.has_value());
}

/// Checks that no expression is empty; this error precedes those of the key condition.
Answer<void> check_not_empty(const Context& context, expr::Kind kind,
                             const std::optional<std::string>& expression) {
  if (!expression || !expression->empty()) return {};
  return validation(context.envelope,
                    context.expressions.parse(kind, *expression, expr::SizeTail::printed).error());
}

Answer<KeySelection> legacy_key_selection(const Context& context, api::QueryInput& input) {
  std::vector<legacy::Condition> conditions = conditions_of(input.key_conditions);
  const std::size_t most = input.index_name ? conditions.size() : legacy::max_key_conditions;
  if (const auto checked = legacy::check_key_conditions(conditions, most); !checked)
    return validation(context.envelope, checked.error());
  return KeySelection(std::move(conditions));
}

Answer<QueryStatement> check(const Context& context, api::QueryInput& input) {
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(check_members(context, expressions, input));
  DINETTE_CHECK(check_not_empty(context, expr::Kind::filter, input.filter_expression));
  DINETTE_CHECK(check_not_empty(context, expr::Kind::projection, input.projection_expression));
  DINETTE_CHECK(expressions.check_typed({problem_of(input.expression_attribute_values),
                                         problem_of(input.key_conditions), problem_of(input.query_filter)}));
  QueryStatement statement;
  DINETTE_TRY(statement.key, input.key_conditions
                                 ? legacy_key_selection(context, input)
                                 : expressions.key_condition<KeySelection>(input.key_condition_expression));
  DINETTE_TRY(statement.filter, item_filter(expressions, input.filter_expression, input.query_filter,
                                            input.conditional_operator));
  DINETTE_TRY(statement.selection,
              item_selection(expressions, input.projection_expression, input.attributes_to_get));
  DINETTE_CHECK(expressions.check_all_used());
  DINETTE_CHECK(
      expressions.check_problems({problem_of(input.expression_attribute_values),
                                  problem_of(input.key_conditions), problem_of(input.query_filter)}));
  DINETTE_CHECK(check_start_values(input.exclusive_start_key));
  return statement;
}

store::Direction direction_of(const api::QueryInput& input) {
  return input.scan_index_forward ? store::Direction::forward : store::Direction::backward;
}

/// The clauses with their bounds let in: a start key may lie at one.
expr::KeyClauses with_bounds(expr::KeyClauses range) {
  for (expr::KeyClause& clause : range) {
    if (clause.op == expr::KeyOperator::less) clause.op = expr::KeyOperator::less_equal;
    if (clause.op == expr::KeyOperator::greater) clause.op = expr::KeyOperator::greater_equal;
  }
  return range;
}

/// Returns the store's key for ExclusiveStartKey.
Answer<std::string> start_of(const ReadTarget& target, const api::QueryInput& input) {
  const bool legacy = input.key_conditions.has_value();
  return start_position(target, input.exclusive_start_key->attributes,
                        {.other_attributes = invalid_start_key,
                         .other_types = legacy ? key_schema_mismatch : invalid_start_key});
}

Answer<expr::MatchedKey> match_clauses(const Context& context, const ReadTarget& target,
                                       const expr::KeyClauses& clauses) {
  auto matched = expr::match_key(clauses, target.key());
  if (!matched) return validation(context.envelope, matched.error());
  return std::move(matched).value();
}

Answer<expr::MatchedKey> match_key(const Context& context, const ReadTarget& target,
                                   const KeySelection& selection, const api::QueryInput& input) {
  if (const auto* condition = std::get_if<expr::KeyCondition>(&selection))
    return match_clauses(context, target, condition->clauses);
  const auto clauses = legacy::key_clauses(std::get<1>(selection), target.key());
  if (clauses) return match_clauses(context, target, *clauses);
  // Comes late, after the start key (docs/service/legacy-api.md section 6).
  if (input.exclusive_start_key) DINETTE_CHECK(start_of(target, input));
  return validation(context.envelope, clauses.error());
}

/// What a Query walks through, and whether a next page could have anything.
struct Walk {
  store::KeyRange range;
  bool one_row = false;        ///< the key of a table's item, whole
  std::string explained = {};  ///< if the request asks for it
};

bool has_equality_on_whole_key(const ReadTarget& target, const expr::MatchedKey& matched) {
  return matched.hash.size() + matched.range.size() == target.key().size() &&
         std::ranges::all_of(matched.range,
                             [](const auto& clause) { return clause.op == expr::KeyOperator::equal; });
}

/// Refuses a start key that no page of this Query can have ended with (docs/service/query-scan.md section 2).
Answer<void> check_start(const ReadTarget& target, const std::string& partition,
                         const expr::MatchedKey& matched, const model::Item& sent, const std::string& start) {
  const expr::KeyPart& hash = target.key().front();
  if (!target.index() && target.key().size() == 1) {
    return validation("The provided exclusive start key is invalid: ExclusiveStartKey: {" +
                      std::string(hash.attribute) + "=" + expr::printed(*sent.find(hash.attribute)) + "}");
  }
  const store::KeyRange range = key_range(partition, with_bounds(matched.range));
  const bool inside = range.contains(start);
  const bool same_partition = start.starts_with(partition);
  const bool whole_key = has_equality_on_whole_key(target, matched);
  // Several rows of an index may have its whole key in common.
  if (whole_key && !(target.index() && same_partition))
    return validation("The query can return at most one row and cannot be restarted");
  if (!same_partition || (whole_key && !inside))
    return validation("The provided starting key is outside query boundaries based on provided conditions");
  // Users report this sentence for a start key of the right partition beyond the condition on the sort key.
  if (!inside) return validation("The provided starting key does not match the range key predicate");
  return {};
}

/// The keys that the clauses ask for, in the one partition that they name.
Answer<Walk> walk_of(const Context& context, const ReadTarget& target, const QueryStatement& statement,
                     const api::QueryInput& input) {
  DINETTE_TRY(const expr::MatchedKey matched, match_key(context, target, statement.key, input));
  DINETTE_CHECK(check_filter_leaves_key(target, statement.filter));
  std::vector<const model::AttributeValue*> hash;
  for (const expr::KeyClause& clause : matched.hash) hash.push_back(clause.value);
  const std::string partition = target.encode_partition(hash);
  Walk walk{key_range(partition, matched.range),
            !target.index() && has_equality_on_whole_key(target, matched)};
  if (wants_keys(context)) note_partition(context, input.table_name, matched.hash);
  if (context.explanation) {
    expr::KeyClauses clauses = matched.hash;
    clauses.insert(clauses.end(), matched.range.begin(), matched.range.end());
    walk.explained = key_text(clauses);
  }
  if (!input.exclusive_start_key) return walk;

  DINETTE_TRY(const std::string start, start_of(target, input));
  DINETTE_CHECK(check_start(target, partition, matched, input.exclusive_start_key->attributes, start));
  walk.range.start_after(start, direction_of(input));
  return walk;
}

}  // namespace

Answer<api::QueryOutput> query(const Context& context, api::QueryInput&& input) {
  DINETTE_TRY(const QueryStatement statement, check(context, input));
  bool one_row = false;
  std::string explained;
  const auto range_in = [&](const ReadTarget& target) -> Answer<store::KeyRange> {
    DINETTE_TRY(Walk walk, walk_of(context, target, statement, input));
    one_row = walk.one_row;
    explained = std::move(walk.explained);
    return std::move(walk.range);
  };
  auto output = read_rows<api::QueryOutput>(
      context, input, statement.filter, statement.selection, range_in,
      {.name = {"Query", explained}, .direction = direction_of(input), .by_key_condition = true});
  // No start key is taken there, so none is given, whatever Limit says.
  if (output && one_row) output->last_evaluated_key.reset();
  return output;
}

}  // namespace dinette::dynamodb::ops
