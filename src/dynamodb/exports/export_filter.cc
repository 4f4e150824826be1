#include "dynamodb/exports/export_filter.h"

#include <utility>
#include <vector>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/expr/binder.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/reads/key_range.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/expression_families.h"
#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> refused(const std::string& sentence) {
  return validation("Invalid Request: Invalid FilterSpecification: " + sentence);
}

/// Says what Query or Scan says of the same mistake.
template <class T>
Answer<T> in_specification(Answer<T> answer) {
  if (answer) return answer;
  return refused(answer.error().message);
}

template <class T>
Answer<T> answer_of(base::Result<T, expr::ExpressionError> result) {
  if (!result) return validation(result.error().message);
  return std::move(result).value();
}

Answer<expr::ParsedRef> parse(expr::Kind kind, const std::string& text) {
  return answer_of(expr::parse(kind, text, expr::SizeTail::printed));
}

codec::FamilyMembers given_in(const api::FilterSpecification& specification) {
  codec::FamilyMembers given;
  if (specification.filter_expression) given.expressions.push_back("FilterExpression");
  if (specification.projection_expression) given.expressions.push_back("ProjectionExpression");
  if (specification.key_condition_expression) given.expressions.push_back("KeyConditionExpression");
  return given;
}

bool is_empty(const api::FilterSpecification& specification) {
  return given_in(specification).expressions.empty() && !specification.expression_attribute_names &&
         !specification.expression_attribute_values;
}

}  // namespace

Answer<std::unique_ptr<const ExportFilter>> ExportFilter::make(
    const api::FilterSpecification& specification) {
  if (is_empty(specification)) return refused("The specification can not be empty");
  std::unique_ptr<ExportFilter> filter(new ExportFilter(specification));
  DINETTE_CHECK(in_specification(filter->bind()));
  return std::unique_ptr<const ExportFilter>(std::move(filter));
}

Answer<void> ExportFilter::bind() {
  const auto& names = specification_.expression_attribute_names;
  const auto& values = specification_.expression_attribute_values;
  DINETTE_CHECK(check_families(given_in(specification_), Envelope::none, names, values));
  expr::Placeholders placeholders = placeholders_of(names, values);
  if (specification_.key_condition_expression) {
    DINETTE_TRY(const auto parsed,
                parse(expr::Kind::key_condition, *specification_.key_condition_expression));
    DINETTE_TRY(key_, answer_of(expr::bind_key_condition(parsed, placeholders)));
  }
  if (specification_.filter_expression) {
    DINETTE_TRY(const auto parsed, parse(expr::Kind::filter, *specification_.filter_expression));
    DINETTE_TRY(expr::Condition condition, answer_of(expr::bind_condition(parsed, placeholders)));
    filter_ = ItemFilter(ItemCondition(std::move(condition)));
  }
  if (specification_.projection_expression) {
    DINETTE_TRY(const auto parsed, parse(expr::Kind::projection, *specification_.projection_expression));
    DINETTE_TRY(expr::Projection projection, answer_of(expr::bind_projection(parsed, placeholders)));
    selection_ = ItemSelection(std::move(projection));
  }
  DINETTE_CHECK(check_all_used(Envelope::none, placeholders));
  return check_problem(Envelope::none, problem_of(values));
}

Answer<store::KeyRange> ExportFilter::range_in(const TableSchema& schema) const {
  return in_specification(match(schema));
}

Answer<store::KeyRange> ExportFilter::match(const TableSchema& schema) const {
  DINETTE_CHECK(check_key_paths(schema, filter_.reached_into()));
  DINETTE_CHECK(check_key_paths(schema, selection_.reached_into()));
  if (!key_) return store::KeyRange();
  const ReadTarget target(schema, nullptr);
  DINETTE_TRY(const expr::MatchedKey matched, answer_of(expr::match_key(key_->clauses, target.key())));
  DINETTE_CHECK(check_filter_leaves_key(target, filter_));
  std::vector<const model::AttributeValue*> hash;
  for (const expr::KeyClause& clause : matched.hash) hash.push_back(clause.value);
  return key_range(target.encode_partition(hash), matched.range);
}

kv::Result<bool> ExportFilter::admits(std::string_view record) const {
  model::Work uncounted;
  return filter_.admits(record, uncounted);
}

kv::Result<void> ExportFilter::append_selected(std::string& json, std::string_view record) const {
  model::Work uncounted;
  DINETTE_CHECK(selection_.append_selected(json, record, uncounted));
  return {};
}

}  // namespace dinette::dynamodb
