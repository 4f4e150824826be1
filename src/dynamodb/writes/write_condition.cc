#include "dynamodb/writes/write_condition.h"

#include "dynamodb/request/legacy_input.h"
#include "dynamodb/writes/write_charge.h"

namespace dinette::dynamodb {
namespace {

namespace legacy = expr::legacy;

legacy::ExpectedAttribute expected_attribute(const std::string& name, api::ExpectedAttributeValue& sent) {
  legacy::ExpectedAttribute attribute{
      .name = name, .value = {}, .exists = sent.exists, .op = sent.comparison_operator, .list = {}};
  if (sent.value) {
    attribute.value = std::move(sent.value->value);
    attribute.refused = sent.value->problem.has_value();
  }
  if (!sent.attribute_value_list) return attribute;
  attribute.list.emplace();
  for (auto& value : *sent.attribute_value_list) {
    attribute.list->push_back(std::move(value.value));
    attribute.refused |= value.problem.has_value();
  }
  return attribute;
}

}  // namespace

Answer<ItemCondition> expected_condition(Envelope envelope, ExpectedInput& expected,
                                         std::optional<api::ConditionalOperator> combined) {
  if (!expected) {
    const auto alone = legacy::check_conditional_operator(combined, std::nullopt);
    if (!alone) return validation(envelope, alone.error());
    return ItemCondition();
  }
  std::vector<legacy::ExpectedAttribute> attributes;
  for (auto& [name, sent] : *expected) attributes.push_back(expected_attribute(name, sent));
  auto conditions = legacy::check_expected(std::move(attributes), combined);
  if (!conditions) return validation(envelope, conditions.error());
  return ItemCondition(std::move(conditions).value());
}

const codec::ValueProblem* problem_of(const ExpectedInput& expected) {
  codec::FirstProblem first;
  if (!expected) return nullptr;
  for (const auto& [name, sent] : *expected) {
    first.add(codec::problem_of_name(name));
    if (sent.value) first.add(sent.value->problem);
    if (!sent.attribute_value_list) continue;
    for (const auto& value : *sent.attribute_value_list) first.add(value.problem);
  }
  return first.get();
}

ApiError condition_failed(api::ReturnValuesOnConditionCheckFailure wanted, StoredItem& stored) {
  ApiError error = refused_write(
      {api::ErrorCode::conditional_check_failed_exception, "The conditional request failed"}, stored);
  if (wanted == api::ReturnValuesOnConditionCheckFailure::all_old && stored.exists()) {
    constexpr std::size_t bytes_copied_per_unit = 16;
    error.item = stored.text();
    stored.work().add((*error.item->json).size() / bytes_copied_per_unit);
  }
  return error;
}

}  // namespace dinette::dynamodb
