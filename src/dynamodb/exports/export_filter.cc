#include "dynamodb/exports/export_filter.h"

#include <utility>
#include <vector>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/reads/key_range.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> refused_filter(const std::string& sentence) {
  return validation("Invalid Request: Invalid FilterSpecification: " + sentence);
}

/// Says what Query or Scan says of the same mistake.
template <class T>
Answer<T> in_specification(Answer<T> answer) {
  if (answer) return answer;
  return refused_filter(answer.error().message);
}

codec::FamilyMembers given_in(const api::FilterSpecification& specification) {
  codec::FamilyMembers given;
  if (specification.filter_expression) given.expressions.push_back("FilterExpression");
  if (specification.projection_expression) given.expressions.push_back("ProjectionExpression");
  if (specification.key_condition_expression) given.expressions.push_back("KeyConditionExpression");
  return given;
}

bool has_no_filter(const api::FilterSpecification& specification) {
  return given_in(specification).expressions.empty() && !specification.expression_attribute_names &&
         !specification.expression_attribute_values;
}

}  // namespace

Answer<std::unique_ptr<const ExportFilter>> ExportFilter::make(
    const api::FilterSpecification& specification) {
  if (has_no_filter(specification)) return refused_filter("The specification can not be empty");
  std::unique_ptr<ExportFilter> filter(new ExportFilter(specification));
  DINETTE_CHECK(in_specification(filter->bind()));
  return std::unique_ptr<const ExportFilter>(std::move(filter));
}

Answer<void> ExportFilter::bind() {
  const api::FilterSpecification& given = specification_;
  RequestExpressions expressions(nullptr, Envelope::none, given.expression_attribute_names,
                                 given.expression_attribute_values);
  DINETTE_CHECK(expressions.check_families(given_in(given)));
  DINETTE_CHECK(expressions.check_typed({problem_of(given.expression_attribute_values)}));
  DINETTE_TRY(key_, expressions.key_condition<decltype(key_)>(given.key_condition_expression));
  DINETTE_TRY(filter_, expressions.filter<ItemFilter>(given.filter_expression));
  DINETTE_TRY(selection_, expressions.projection<ItemSelection>(given.projection_expression));
  DINETTE_CHECK(expressions.check_all_used());
  return expressions.check_problems({problem_of(given.expression_attribute_values)});
}

Answer<store::KeyRange> ExportFilter::range_in(const TableSchema& schema) const {
  return in_specification(match(schema));
}

Answer<store::KeyRange> ExportFilter::match(const TableSchema& schema) const {
  DINETTE_CHECK(check_key_paths(schema, filter_.reached_into()));
  DINETTE_CHECK(check_key_paths(schema, selection_.reached_into()));
  if (!key_) return store::KeyRange();
  const ReadTarget target(schema, nullptr);
  const auto matched = expr::match_key(key_->clauses, target.key());
  if (!matched) return validation(matched.error().message);
  DINETTE_CHECK(check_filter_leaves_key(target, filter_));
  std::vector<const model::AttributeValue*> hash;
  for (const expr::KeyClause& clause : matched->hash) hash.push_back(clause.value);
  return key_range(target.encode_partition(hash), matched->range);
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
