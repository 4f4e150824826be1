#include "dynamodb/reads/item_filter.h"

#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/codec/record.h"

namespace dinette::dynamodb {

namespace legacy = expr::legacy;

kv::Result<bool> ItemFilter::admits(std::string_view record, model::Work& work) const {
  if (condition_.always()) return true;
  DINETTE_TRY(const model::Item item, codec::read_attributes(record, attributes(), work));
  return condition_.holds(&item, work);
}

Answer<ItemFilter> item_filter(const Context& context, const std::optional<std::string>& filter_expression,
                               ConditionsInput& legacy_filter,
                               std::optional<api::ConditionalOperator> combined,
                               expr::Placeholders& placeholders) {
  if (legacy_filter) {
    auto conditions = legacy::check_filter(conditions_of(legacy_filter), combined);
    if (!conditions) return validation(context.envelope, conditions.error());
    return ItemFilter(ItemCondition(std::move(conditions).value()));
  }
  const auto alone = legacy::check_conditional_operator(combined, std::nullopt);
  if (!alone) return validation(context.envelope, alone.error());
  if (!filter_expression) return ItemFilter();
  const auto parsed =
      context.expressions.parse(expr::Kind::filter, *filter_expression, expr::SizeTail::printed);
  if (!parsed) return validation(context.envelope, parsed.error());
  auto condition = expr::bind_condition(*parsed, placeholders);
  if (!condition) return validation(context.envelope, condition.error());
  return ItemFilter(ItemCondition(std::move(condition).value()));
}

}  // namespace dinette::dynamodb
