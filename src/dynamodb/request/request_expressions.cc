#include "dynamodb/request/request_expressions.h"

#include <span>
#include <string>

#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb {
namespace {

expr::Placeholders placeholders_of(const ExpressionNames& names, const ExpressionValues& values) {
  std::span<const expr::NameEntry> name_entries;
  std::span<const expr::ValueEntry> value_entries;
  std::span<const std::string> refused;
  if (names) name_entries = *names;
  if (values) {
    value_entries = values->entries;
    refused = values->refused;
  }
  return {name_entries, value_entries, refused};
}

}  // namespace

const codec::ValueProblem* problem_of(const ExpressionValues& values) {
  return values && values->problem ? &*values->problem : nullptr;
}

Answer<void> check_one_family(Envelope envelope, const codec::FamilyMembers& given) {
  const codec::GivenMembers& legacy = given.legacy;
  const codec::GivenMembers& expressions = given.expressions;
  if (legacy.empty() || expressions.empty()) return {};
  return validation(envelope, expr::mixed_families({legacy.data(), legacy.size()},
                                                   {expressions.data(), expressions.size()}));
}

const ExpressionValues RequestExpressions::no_values;

RequestExpressions::RequestExpressions(expr::Cache* cache, Envelope envelope, const ExpressionNames& names,
                                       const ExpressionValues& values)
    : cache_(cache),
      envelope_(envelope),
      names_(names),
      values_(values),
      placeholders_(placeholders_of(names, values)) {}

Answer<void> RequestExpressions::check_families(const codec::FamilyMembers& given, model::Generation reading,
                                                expr::Kind first) const {
  DINETTE_CHECK(check_one_family(envelope_, given));
  const bool none = given.expressions.empty();
  if (names_ && none) return refused(expr::names_without_expression(reading, first));
  if (values_ && none) return refused(expr::values_without_expression(reading, first));
  if (names_) {
    if (const auto checked = expr::check_names(*names_); !checked) return refused(checked.error());
  }
  if (values_) {
    if (const auto checked = expr::check_values(values_->entries); !checked) return refused(checked.error());
  }
  if (const auto checked = expr::check_total_size(placeholders_); !checked) return refused(checked.error());
  return {};
}

Answer<void> RequestExpressions::check_typed(
    std::initializer_list<const codec::ValueProblem*> problems) const {
  for (const codec::ValueProblem* problem : problems) {
    if (problem && problem->untyped) return validation(envelope_, *problem);
  }
  return {};
}

Answer<void> RequestExpressions::check_all_used() const {
  if (const auto unused = expr::check_unused(placeholders_); !unused) return refused(unused.error());
  return {};
}

Answer<void> RequestExpressions::check_problems(
    std::initializer_list<const codec::ValueProblem*> problems) const {
  for (const codec::ValueProblem* problem : problems) DINETTE_CHECK(check_problem(envelope_, problem));
  return {};
}

}  // namespace dinette::dynamodb
