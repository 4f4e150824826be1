#include "dynamodb/partiql/read_plan.h"

#include <algorithm>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/partiql/branches.h"
#include "dynamodb/partiql/hash_order.h"
#include "dynamodb/reads/key_range.h"

namespace dinette::dynamodb::partiql {
namespace {

using expr::KeyOperator;
using expr::KeyPart;
using model::AttributeValue;

/// So many are not even compared with each other.
constexpr std::size_t most_reads = 10'000;

base::Failure<ApiError> too_many_reads() {
  return validation("Too many decomposed read operations for a given query.");
}

class Planner {
 public:
  Planner(const Bound& bound, const ReadTarget& target, OrderBy order_by)
      : bound_(bound),
        target_(target),
        has_order_(order_by == OrderBy::heeded && !bound.statement().order.empty()),
        hash_(target.key().front()) {
    if (target.key().size() > 1) range_ = &target.key()[1];
  }

  Answer<ReadPlan> plan(const expr::Bindings& bindings) {
    const Statement& statement = bound_.statement();
    Branches branches;
    if (statement.where) {
      const KeyNames names{hash_.attribute, range_ ? range_->attribute : std::string_view()};
      branches = branches_of(*statement.where, bindings, names);
    }
    if (branches.too_many) return too_many_reads();
    DINETTE_CHECK(check_order(branches.all));
    if (branches.all.empty()) return scan();
    for (const Branch& branch : branches.all) DINETTE_CHECK(check_types(branch));
    for (const Branch& branch : branches.all) {
      DINETTE_CHECK(add_reads(branch));
      plan_.filters = plan_.filters || !branch.filtered.empty();
      plan_.several = plan_.several || is_list(branch.hash) || is_list(branch.range);
    }
    arrange();
    DINETTE_CHECK(check_overlap());
    if (plan_.reads.size() > model::limits::key_reads) return too_many_reads();
    DINETTE_CHECK(check_filters());
    order();
    return std::move(plan_);
  }

 private:
  ReadPlan scan() {
    plan_.reads.emplace_back();
    plan_.filters = bound_.statement().where != nullptr;
    return std::move(plan_);
  }

  Answer<void> check_order(const std::vector<Branch>& branches) const {
    if (!has_order_) return {};
    const Statement& statement = bound_.statement();
    if (!statement.where)
      return validation("Must have WHERE clause in the statement when using ORDER BY clause.");
    for (const Sort& sort : statement.order) {
      if (!target_.is_key(sort.attribute))
        return validation("Attribute " + sort.attribute +
                          " in ORDER BY clause must be part of the primary key");
    }
    if (branches.empty()) {
      return validation(
          "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY "
          "clause.");
    }
    if (sort_by(hash_.attribute) || one_partition(branches)) return {};
    return validation(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
        "clause.");
  }

  static bool is_list(const std::optional<KeyTerm>& term) {
    return term && term->op == KeyOperator::equal && term->values.size() > 1;
  }

  static bool one_partition(const std::vector<Branch>& branches) {
    const KeyTerm& first = *branches.front().hash;
    return first.values.size() == 1 &&
           std::ranges::all_of(branches, [&](const Branch& branch) { return *branch.hash == first; });
  }

  const Sort* sort_by(std::string_view attribute) const {
    const auto& order = bound_.statement().order;
    const auto found = std::ranges::find(order, attribute, &Sort::attribute);
    return found == order.end() ? nullptr : &*found;
  }

  Answer<void> check_types(const Branch& branch) const {
    for (const AttributeValue* value : branch.hash->values) DINETTE_CHECK(check_value(hash_, *value));
    if (!branch.range) return {};
    for (const AttributeValue* value : branch.range->values) DINETTE_CHECK(check_value(*range_, *value));
    return {};
  }

  static Answer<void> check_value(const KeyPart& part, const AttributeValue& value) {
    const std::string name(part.attribute);
    if (!expr::contains(expr::ordered_types, value.type())) {
      return validation("Key value must be of type S, N, or B. Key name: " + name +
                        ", Key type: " + std::string(model::type_name(value.type())));
    }
    if (value.type() != part.type)
      return validation("Key attribute's data type should match its data type in table's schema: Key " +
                        name);
    const auto role = part.hash ? model::KeyRole::partition : model::KeyRole::sort;
    auto checked = model::check_key_value(part.attribute, value, role);
    if (!checked) return validation(std::move(checked).error());
    return {};
  }

  Answer<void> add_reads(const Branch& branch) {
    for (const AttributeValue* hash : branch.hash->values) {
      const std::string partition = target_.encode_partition(std::span(&hash, 1));
      if (!branch.range) {
        add({hash, key_range(partition, {}), !range_ && !target_.index(), branch.filtered});
      } else if (branch.range->op == KeyOperator::equal) {
        for (const AttributeValue* value : branch.range->values) {
          const expr::KeyClause clause{range_->attribute, KeyOperator::equal, value};
          add({hash, key_range(partition, {clause}), !target_.index(), branch.filtered});
        }
      } else {
        const auto& values = branch.range->values;
        const expr::KeyClause clause{range_->attribute, branch.range->op, values.front(),
                                     values.size() > 1 ? values[1] : nullptr};
        add({hash, key_range(partition, {clause}), false, branch.filtered});
      }
      if (plan_.reads.size() > most_reads) return too_many_reads();
    }
    return {};
  }

  void add(KeyRead read) { plan_.reads.push_back(std::move(read)); }

  /// Partitions by their values, ascending, within each by the sort key.
  void arrange() {
    std::ranges::stable_sort(plan_.reads, [](const KeyRead& a, const KeyRead& b) {
      const auto by_hash = compare(*a.hash, *b.hash);
      return by_hash != std::strong_ordering::equal ? by_hash == std::strong_ordering::less
                                                    : a.range.begin < b.range.begin;
    });
  }

  Answer<void> check_overlap() const {
    const KeyRead* before = nullptr;
    for (const KeyRead& read : plan_.reads) {
      if (read.range.empty()) continue;
      const bool meets = before && *before->hash == *read.hash &&
                         (before->range.end.empty() || read.range.begin < before->range.end);
      if (meets)
        return validation("Overlapping conditions with range keys are not supported in where clause");
      before = &read;
    }
    return {};
  }

  /// Checks filters. If there are several branches, it is enough that an index can filter one.
  Answer<void> check_filters() const {
    if (!target_.index()) return {};
    std::vector<std::string_view> missing;
    for (const KeyRead& read : plan_.reads) {
      missing.clear();
      for (const std::string_view name : read.filtered) {
        if (!target_.schema().projects(*target_.index(), name)) missing.push_back(name);
      }
      if (missing.empty()) return {};
    }
    put_in_hash_order(missing);
    std::string names;
    for (const std::string_view name : missing) names.append(names.empty() ? "" : ", ").append(name);
    return invalid("Secondary index " + target_.index()->name +
                   " does not project one or more filter attributes: [" + names + "]");
  }

  /// Orders the reads. ORDER BY only the partition key returns the sort key descending, in either direction.
  void order() {
    if (!has_order_) return;
    const Sort* const by_hash = sort_by(hash_.attribute);
    const Sort* const by_range = range_ ? sort_by(range_->attribute) : nullptr;
    const bool backward = by_range ? by_range->descending : range_ != nullptr;
    const bool hash_backward = by_hash && by_hash->descending;
    plan_.direction = backward ? store::Direction::backward : store::Direction::forward;
    std::ranges::stable_sort(plan_.reads, [&](const KeyRead& a, const KeyRead& b) {
      const auto by_value = compare(*a.hash, *b.hash);
      if (by_value != std::strong_ordering::equal)
        return (by_value == std::strong_ordering::less) != hash_backward;
      return backward ? b.range.begin < a.range.begin : a.range.begin < b.range.begin;
    });
  }

  const Bound& bound_;
  const ReadTarget& target_;
  const bool has_order_;
  const KeyPart& hash_;
  const KeyPart* range_ = nullptr;
  ReadPlan plan_;
};

}  // namespace

Answer<ReadPlan> plan_read(const Bound& bound, const ReadTarget& target, const expr::Bindings& bindings,
                           OrderBy order) {
  return Planner(bound, target, order).plan(bindings);
}

}  // namespace dinette::dynamodb::partiql
