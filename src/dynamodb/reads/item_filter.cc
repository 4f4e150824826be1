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

Answer<ItemFilter> item_filter(RequestExpressions& expressions,
                               const std::optional<std::string>& filter_expression,
                               ConditionsInput& legacy_filter,
                               std::optional<api::ConditionalOperator> combined) {
  if (legacy_filter) {
    auto conditions = legacy::check_filter(conditions_of(legacy_filter), combined);
    if (!conditions) return expressions.refused(conditions.error());
    return ItemFilter(ItemCondition(std::move(conditions).value()));
  }
  const auto alone = legacy::check_conditional_operator(combined, std::nullopt);
  if (!alone) return expressions.refused(alone.error());
  return expressions.filter<ItemFilter>(filter_expression);
}

}  // namespace dinette::dynamodb
