#include "tablestore/sql/join.h"

#include <map>
#include <optional>
#include <utility>

namespace dinette::tablestore::sql {
namespace {

/// The places of a column on each side whose values must be equal.
struct EqualColumns {
  std::size_t left = 0;
  std::size_t right = 0;
};

/// Looks among the conditions that must all hold. Of columns of one type alone: others are equal by rules
/// that no order follows.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
std::optional<EqualColumns> equal_columns(const Expression& condition, const JoinStep& step,
                                          std::size_t width) {
  if (condition.kind == Expression::Kind::and_) {
    const auto found = equal_columns(condition.inner[0], step, width);
    return found ? found : equal_columns(condition.inner[1], step, width);
  }
  if (condition.kind != Expression::Kind::equal) return std::nullopt;
  const Expression& a = condition.inner[0];
  const Expression& b = condition.inner[1];
  const bool are_columns = a.kind == Expression::Kind::column && b.kind == Expression::Kind::column;
  if (!are_columns || (a.place < width) == (b.place < width)) return std::nullopt;
  if (step.columns[a.place].type != step.columns[b.place].type) return std::nullopt;
  return a.place < width ? EqualColumns{a.place, b.place - width} : EqualColumns{b.place, a.place - width};
}

class Joiner {
 public:
  Joiner(Session& session, const Environment& environment, HeldBytes& held, SomeRows&& left, SomeRows&& right,
         const JoinStep& step)
      : session_(session),
        environment_(environment),
        held_(held),
        left_(std::move(left)),
        right_(std::move(right)),
        step_(step),
        was_joined_(right_.rows.size()) {
    result_.width = left_.width + right_.width;
    if (step.condition != nullptr) weight_ = weight_of(*step.condition);
    if (step.condition != nullptr) equal_ = equal_columns(*step.condition, step, left_.width);
    if (!equal_) return;
    for (std::size_t i = 0; i < right_.rows.size(); ++i) {
      const SqlValue& value = right_.rows[i][equal_->right];
      if (!is_null(value)) by_value_.emplace(value, i);
    }
  }

  Answer<SomeRows> run() && {
    for (const SqlRow& row : left_.rows) DINETTE_CHECK(join_row(row));
    if (step_.kind == FromItem::Join::right) {
      for (std::size_t i = 0; i < right_.rows.size(); ++i)
        if (!was_joined_[i]) DINETTE_CHECK(add(joined(SqlRow(left_.width), right_.rows[i])));
    }
    return std::move(result_);
  }

 private:
  static SqlRow joined(const SqlRow& a, const SqlRow& b) {
    SqlRow row;
    row.reserve(a.size() + b.size());
    row.insert(row.end(), a.begin(), a.end());
    row.insert(row.end(), b.begin(), b.end());
    return row;
  }

  Answer<void> add(SqlRow&& row) {
    DINETTE_CHECK(held_.add(size_of(row)));
    result_.rows.push_back(std::move(row));
    return {};
  }

  Answer<void> join_row(const SqlRow& row) {
    bool has_found = false;
    if (equal_) {
      const auto [begin, end] = by_value_.equal_range(row[equal_->left]);
      for (auto one = begin; one != end; ++one) DINETTE_CHECK(join_pair(row, one->second, has_found));
    } else {
      for (std::size_t i = 0; i < right_.rows.size(); ++i) DINETTE_CHECK(join_pair(row, i, has_found));
    }
    if (has_found || step_.kind != FromItem::Join::left) return {};
    return add(joined(row, SqlRow(right_.width)));
  }

  Answer<void> join_pair(const SqlRow& row, std::size_t place, bool& has_found) {
    SqlRow both = joined(row, right_.rows[place]);
    DINETTE_CHECK(session_.step(Budget::steps_of_row(weight_, size_of(both))));
    const SqlRow* const one = &both;
    if (step_.condition != nullptr && !is_true(evaluate(*step_.condition, SqlRows(&one, 1), environment_)))
      return {};
    has_found = true;
    was_joined_[place] = true;
    return add(std::move(both));
  }

  Session& session_;
  const Environment& environment_;
  HeldBytes& held_;
  const SomeRows left_;
  const SomeRows right_;
  const JoinStep& step_;
  std::size_t weight_ = 0;  ///< of the condition
  std::optional<EqualColumns> equal_;
  std::multimap<SqlValue, std::size_t, LessSql> by_value_;
  std::vector<bool> was_joined_;
  SomeRows result_;
};

}  // namespace

Answer<SomeRows> join(Session& session, const Environment& environment, HeldBytes& held, SomeRows&& left,
                      SomeRows&& right, const JoinStep& step) {
  return Joiner(session, environment, held, std::move(left), std::move(right), step).run();
}

}  // namespace dinette::tablestore::sql
