#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/base/result.h"

#include "dynamodb/expr/expression_error.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/number.h"

namespace dinette::dynamodb::expr {

/// The six places where an expression may be.
enum class Kind : std::uint8_t { condition, filter, update, projection, key_condition, search_condition };

/// `ConditionExpression`, ...
std::string_view member_name(Kind kind);

/// One entry of ExpressionAttributeNames: `#n` and its attribute name.
using NameEntry = std::pair<std::string, std::string>;
/// One entry of ExpressionAttributeValues: `:v` and its value.
using ValueEntry = std::pair<std::string, model::AttributeValue>;

/// The two maps of one request with a note of who used what. Refers to the entries, which must outlive it and
/// everything bound with it; they may be in any order. Not thread-safe: belongs to one request.
class Placeholders {
 public:
  Placeholders() = default;
  /// `refused`: the keys of values that have a problem of their own, ascending.
  Placeholders(std::span<const NameEntry> names, std::span<const ValueEntry> values,
               std::span<const std::string> refused = {});

  /// Returns the name of `key` (with its `#` or `:`), noted as used by `user`; null if it is not defined.
  const std::string* name(std::string_view key, Kind user);
  const model::AttributeValue* value(std::string_view key, Kind user);

  /// Returns true if the value of `key` has a problem of its own: its type is that of what was sent, but what
  /// it holds may be something else. The request is refused for it after its expressions are checked.
  bool refused(std::string_view key) const {
    return std::binary_search(refused_.begin(), refused_.end(), key);
  }

  std::span<const NameEntry> names() const { return names_; }
  std::span<const ValueEntry> values() const { return values_; }
  /// Returns true if the entry at `index` was used in an expression of `kind`, or in any.
  bool value_used(std::size_t index, Kind kind) const { return (values_used_[index] >> bit(kind) & 1U) != 0; }
  bool value_used(std::size_t index) const { return values_used_[index] != 0; }
  bool name_used(std::size_t index) const { return names_used_[index] != 0; }

  /// Keys compared so far, looked up by hash or one after the other: few a lookup, however many there are.
  std::size_t comparisons() const { return comparisons_; }

 private:
  using Index = std::unordered_map<std::string_view, std::size_t>;
  template <class Entry>
  std::size_t position_of(std::span<const Entry> entries, Index& index, std::string_view key);

  using Users = boost::container::small_vector<std::uint8_t, 16>;  // one bit a Kind, one element an entry
  static unsigned bit(Kind kind) { return static_cast<unsigned>(kind); }

  std::span<const NameEntry> names_;
  std::span<const ValueEntry> values_;
  std::span<const std::string> refused_;
  Users names_used_;
  Users values_used_;
  Index names_index_;  ///< positions by key, once something was looked for among many
  Index values_index_;
  std::size_t comparisons_ = 0;
};

/// Checks, after every expression of the request is bound, that no entry is unused
/// (docs/service/expressions.md section 2).
base::Result<void, ExpressionError> check_unused(const Placeholders& placeholders);

/// Checks the keys' syntax, emptiness and lengths of a map in the request, with or without expressions
/// (docs/service/expressions.md section 2, names-limits.md section 1). The values' own checks (numbers, sets,
/// depth) are the codec's.
base::Result<void, ExpressionError> check_names(std::span<const NameEntry> names);
base::Result<void, ExpressionError> check_values(std::span<const ValueEntry> values);

/// Names and values together, keys included, within 2 MB (docs/service/names-limits.md section 2).
base::Result<void, ExpressionError> check_total_size(const Placeholders& placeholders);

/// The refusal of a map in a request that has no expression at all. The older generation names the expression
/// that is missing; `missing` is the one that the operation would take first.
ExpressionError names_without_expression(model::Generation generation, Kind missing = Kind::condition);
ExpressionError values_without_expression(model::Generation generation, Kind missing = Kind::condition);

/// The refusal of a request that has members of both families; `legacy` and `modern` list those present in
/// the order of the API (`Expected`, ... and `ConditionExpression`, ...).
ExpressionError mixed_families(std::span<const std::string_view> legacy,
                               std::span<const std::string_view> modern);

}  // namespace dinette::dynamodb::expr
