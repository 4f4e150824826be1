#include "dynamodb/ops/item_filter.h"

#include <algorithm>

#include "dynamodb/codec/record.h"

namespace dinette::dynamodb::ops {
namespace {

namespace legacy = expr::legacy;

std::vector<std::string_view> sorted(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

ItemFilter::ItemFilter(expr::Condition condition)
    : filter_(std::move(condition)), attributes_(sorted(std::get<expr::Condition>(filter_).attributes())) {}

ItemFilter::ItemFilter(legacy::Conditions conditions)
    : filter_(std::move(conditions)),
      attributes_(sorted(std::get<legacy::Conditions>(filter_).attributes())) {}

bool ItemFilter::admits(std::string_view record) const {
  if (std::holds_alternative<std::monostate>(filter_)) return true;
  const model::Item item = codec::read_attributes(record, attributes_);
  const auto* expression = std::get_if<expr::Condition>(&filter_);
  return expression ? expression->evaluate(&item)
                    : std::get<expr::legacy::Conditions>(filter_).evaluate(&item);
}

Answer<ItemFilter> item_filter(const Context& context, const std::optional<std::string>& filter_expression,
                               ConditionsInput& legacy_filter,
                               std::optional<api::ConditionalOperator> combined,
                               expr::Placeholders& placeholders) {
  if (legacy_filter) {
    auto conditions = legacy::check_filter(conditions_of(legacy_filter), combination_of(combined));
    if (!conditions) return validation(Envelope::none, conditions.error());
    return ItemFilter(std::move(conditions).value());
  }
  const auto alone = legacy::check_conditional_operator(combination_of(combined), std::nullopt);
  if (!alone) return validation(Envelope::none, alone.error());
  if (!filter_expression) return ItemFilter();
  const auto parsed =
      context.expressions.parse(expr::Kind::filter, *filter_expression, expr::SizeTail::printed);
  if (!parsed) return validation(Envelope::none, parsed.error());
  auto condition = expr::bind_condition(*parsed, placeholders);
  if (!condition) return validation(Envelope::none, condition.error());
  return ItemFilter(std::move(condition).value());
}

}  // namespace dinette::dynamodb::ops
