#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

using ExpressionNames = std::optional<codec::Entries<std::string>>;
using ExpressionValues = std::optional<codec::ValuesInput>;

/// Which parameters of the two families, legacy and expressions, a request has. They exclude each other
/// (docs/service/legacy-api.md section 1, expressions.md section 2).
class ExpressionFamilies {
 public:
  /// In its older form, the error names the expression that the request lacks: `first`, the one that the
  /// operation would take first.
  explicit ExpressionFamilies(model::Generation reading = model::Generation::current,
                              expr::Kind first = expr::Kind::condition)
      : reading_(reading), first_(first) {}

  ExpressionFamilies& legacy(std::string_view member, bool present) {
    if (present) legacy_.push_back(member);
    return *this;
  }
  ExpressionFamilies& expression(std::string_view member, bool present) {
    if (present) expressions_.push_back(member);
    return *this;
  }

  /// Both families, names or values without an expression, empty or ill-keyed maps: the first of these that
  /// is so.
  Answer<void> check(Envelope envelope, const ExpressionNames& names, const ExpressionValues& values) const;

 private:
  using Members = boost::container::small_vector<std::string_view, 4>;
  model::Generation reading_;
  expr::Kind first_;
  Members legacy_;
  Members expressions_;
};

/// The first problem of a value, null when there is none.
const codec::ValueProblem* problem_of(const ExpressionValues& values);

/// The placeholders of a request that has passed `ExpressionFamilies::check`; refers to the two maps.
expr::Placeholders placeholders_of(const ExpressionNames& names, const ExpressionValues& values);

}  // namespace dinette::dynamodb
