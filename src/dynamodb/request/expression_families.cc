#include "dynamodb/request/expression_families.h"

namespace dinette::dynamodb {
namespace {

Answer<void> in_envelope(Envelope envelope, base::Result<void, expr::ExpressionError> checked) {
  if (!checked) return validation(envelope, checked.error());
  return {};
}

}  // namespace

Answer<void> check_families(const codec::FamilyMembers& given, Envelope envelope,
                            const ExpressionNames& names, const ExpressionValues& values,
                            model::Generation reading, expr::Kind first) {
  const codec::GivenMembers& legacy = given.legacy;
  const codec::GivenMembers& expressions = given.expressions;
  if (!legacy.empty() && !expressions.empty()) {
    return validation(envelope, expr::mixed_families({legacy.data(), legacy.size()},
                                                     {expressions.data(), expressions.size()}));
  }
  if (names && expressions.empty())
    return validation(envelope, expr::names_without_expression(reading, first));
  if (values && expressions.empty())
    return validation(envelope, expr::values_without_expression(reading, first));
  if (names) DINETTE_CHECK(in_envelope(envelope, expr::check_names(*names)));
  if (values) DINETTE_CHECK(in_envelope(envelope, expr::check_values(values->entries)));
  return in_envelope(envelope, expr::check_total_size(placeholders_of(names, values)));
}

const codec::ValueProblem* problem_of(const ExpressionValues& values) {
  return values && values->problem ? &*values->problem : nullptr;
}

expr::Placeholders placeholders_of(const ExpressionNames& names, const ExpressionValues& values) {
  std::span<const expr::NameEntry> name_entries;
  std::span<const expr::ValueEntry> value_entries;
  if (names) name_entries = *names;
  if (values) value_entries = values->entries;
  return {name_entries, value_entries};
}

}  // namespace dinette::dynamodb
