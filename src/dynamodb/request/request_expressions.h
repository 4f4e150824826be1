#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/expr/search_condition.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

using ExpressionNames = std::optional<codec::Entries<std::string>>;
using ExpressionValues = std::optional<codec::ValuesInput>;

/// Returns the problem of a value that is reported (codec::FirstProblem), null if there is none.
const codec::ValueProblem* problem_of(const ExpressionValues& values);

/// Refuses members of both families (docs/service/legacy-api.md section 1, expressions.md section 2).
Answer<void> check_one_family(Envelope envelope, const codec::FamilyMembers& given);

/// The expressions of one request, or of one action of it, and the names and values that they share. An
/// operation calls the members in the order in which their errors win. Refers to the request, which must
/// outlive it and all that it returns. To be used by one thread at a time.
///
///     RequestExpressions expressions(context, input);
///     DINETTE_CHECK(expressions.check_families(families_of(input)));
///     DINETTE_CHECK(expressions.check_typed({problem_of(input.expression_attribute_values)}));
///     DINETTE_TRY(auto condition, expressions.condition<ItemCondition>(input.condition_expression));
///     DINETTE_CHECK(expressions.check_all_used());
class RequestExpressions {
 public:
  template <class Input>
  RequestExpressions(const Context& context, const Input& input)
      : RequestExpressions(&context.expressions, context.envelope, input.expression_attribute_names,
                           values_in(input)) {}

  /// If `cache` is null, each expression is parsed.
  RequestExpressions(expr::Cache* cache, Envelope envelope, const ExpressionNames& names,
                     const ExpressionValues& values);

  /// Refuses members of both families, names or values without an expression, and empty or ill-keyed maps:
  /// the first of these that applies. `given` is api::families_of the input. If the request is read in its
  /// older form, the error names the expression that it lacks: `first`, the one that the operation would take
  /// first.
  Answer<void> check_families(const codec::FamilyMembers& given,
                              model::Generation reading = model::Generation::current,
                              expr::Kind first = expr::Kind::condition) const;

  /// Refuses values without a type or with several, before anything is said about the types of values
  /// (docs/service/wire.md section 7): the first of `problems` that is about that.
  Answer<void> check_typed(std::initializer_list<const codec::ValueProblem*> problems) const;

  /// A member of the request: an expression, or nothing.
  using Text = std::optional<std::string_view>;

  /// These parse an expression and bind it to the names and values. `Bound` is constructed from the result,
  /// or from nothing if there is no expression.
  template <class Bound>
  Answer<Bound> condition(Text text, expr::SizeTail tail = expr::SizeTail::omitted) {
    return bound<Bound>(expr::Kind::condition, text, tail, expr::bind_condition);
  }
  template <class Bound>
  Answer<Bound> filter(Text text) {
    return bound<Bound>(expr::Kind::filter, text, expr::SizeTail::printed, expr::bind_condition);
  }
  template <class Bound>
  Answer<Bound> update(Text text) {
    return bound<Bound>(expr::Kind::update, text, expr::SizeTail::omitted, expr::bind_update);
  }
  template <class Bound>
  Answer<Bound> projection(Text text) {
    return bound<Bound>(expr::Kind::projection, text, expr::SizeTail::printed, expr::bind_projection);
  }
  template <class Bound>
  Answer<Bound> key_condition(Text text) {
    return bound<Bound>(expr::Kind::key_condition, text, expr::SizeTail::printed, expr::bind_key_condition);
  }
  template <class Bound>
  Answer<Bound> search_condition(Text text) {
    return bound<Bound>(expr::Kind::search_condition, text, expr::SizeTail::printed,
                        expr::bind_search_condition);
  }

  /// Checks that every name and value was used.
  Answer<void> check_all_used() const;

  /// Refuses what the codec found wrong with values: the first of `problems` that is not null.
  Answer<void> check_problems(std::initializer_list<const codec::ValueProblem*> problems) const;

  base::Failure<ApiError> refused(const expr::ExpressionError& error) const {
    return validation(envelope_, error);
  }

 private:
  template <class Input>
  static const ExpressionValues& values_in(const Input& input) {
    if constexpr (requires { input.expression_attribute_values; })
      return input.expression_attribute_values;
    else
      return no_values;
  }

  template <class Bound, class Bind>
  Answer<Bound> bound(expr::Kind kind, Text text, expr::SizeTail tail, Bind bind) {
    if (!text) return Bound();
    const auto parsed = cache_ ? cache_->parse(kind, *text, tail) : expr::parse(kind, *text, tail);
    if (!parsed) return refused(parsed.error());
    auto expression = bind(*parsed, placeholders_);
    if (!expression) return refused(expression.error());
    return Bound(std::move(expression).value());
  }

  static const ExpressionValues no_values;

  expr::Cache* const cache_;
  const Envelope envelope_;
  const ExpressionNames& names_;
  const ExpressionValues& values_;
  expr::Placeholders placeholders_;
};

}  // namespace dinette::dynamodb
