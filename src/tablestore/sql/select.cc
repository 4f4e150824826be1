#include "tablestore/sql/select.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/sql/functions.h"
#include "tablestore/sql/join.h"
#include "tablestore/sql/search_conditions.h"
#include "tablestore/sql/source.h"
#include "tablestore/sql/value_set.h"

namespace dinette::tablestore::sql {
namespace {

using Group = std::vector<const SqlRow*>;
using SelectKind = Expression::Kind;

/// A row of a query around the one that is carried out: its columns can be used there.
struct Scope {
  const std::vector<RelationColumn>& columns;
  const SqlRow* row = nullptr;  ///< null: a group without rows
  const Scope* outer = nullptr;
  mutable bool is_used = false;
};

/// What a query that is carried out once has returned, and the values of its first column.
struct KnownResult {
  std::shared_ptr<const Result> result;
  ValueSet values;
};

ResultType type_returned(Returns returns) {
  constexpr std::array types{ResultType::none,     ResultType::whole, ResultType::real, ResultType::text,
                             ResultType::datetime, ResultType::date,  ResultType::time};
  return types[static_cast<std::size_t>(returns)];
}

/// Returns the type that has the values of both: numbers become the wider one, others texts.
ResultType common_type(ResultType a, ResultType b) {
  if (a == ResultType::none || a == b) return b;
  if (b == ResultType::none) return a;
  const auto is_number = [](ResultType type) {
    return type == ResultType::whole || type == ResultType::real || type == ResultType::boolean;
  };
  if (!is_number(a) || !is_number(b)) return ResultType::text;
  return a == ResultType::real || b == ResultType::real ? ResultType::real : ResultType::whole;
}

const Expression& expression_of(const Expression& expression) {
  return expression;
}
const Expression& expression_of(const SelectItem& item) {
  return item.expression;
}
const Expression& expression_of(const OrderItem& item) {
  return item.expression;
}

/// One query, from its statement to its result.
class Query {
 public:
  /// `outer`: null, or the row of the query around it. `is_repeated`: it may be carried out for each row of
  /// another one, so that what it reads is counted.
  Query(Session& session, Select&& statement, const Scope* outer, bool is_repeated)
      : session_(session),
        held_(&session.budget()),
        statement_(std::move(statement)),
        outer_(outer),
        is_repeated_(is_repeated) {
    environment_.now = session.context().now;
    environment_.budget = &session.budget();
    environment_.query = [this](const Expression& expression, SqlRows rows) {
      return value_of_query(expression, rows);
    };
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
  Answer<Result> run() {
    DINETTE_CHECK(count_repetition());
    DINETTE_CHECK(open_sources());
    DINETTE_CHECK(bind_all());
    DINETTE_CHECK(read_rows());
    DINETTE_CHECK(make_groups());
    return result();
  }

 private:
  /// A query that is carried out again is copied and looks for its columns again.
  Answer<void> count_repetition() {
    const auto is_query = [](const FromItem& item) { return item.query != nullptr; };
    makes_rows_ = statement_.from.size() > 1 || std::ranges::any_of(statement_.from, is_query);
    if (!is_repeated_ && !makes_rows_) return {};
    DINETTE_CHECK(for_each_expression([&](const Expression& expression) -> Answer<void> {
      weight_ += weight_of(expression);
      return {};
    }));
    if (!is_repeated_) return {};
    constexpr std::size_t steps_of_query = 100;
    constexpr std::size_t weight_of_step = 4;
    return session_.step(steps_of_query + weight_ / weight_of_step);
  }

  // Tables and columns.

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> open_sources() {
    if (statement_.from.size() > limits::sql_tables)
      return refuse::sql_too_many_tables(static_cast<std::int64_t>(limits::sql_tables));
    std::set<std::string> names;
    for (const FromItem& item : statement_.from) {
      if (!names.insert(item.name()).second) return refuse::sql_same_alias(item.name());
      if (item.query) {
        // A query in place of a table sees none of the others.
        DINETTE_TRY(Result rows, Query(session_, Select(*item.query), nullptr, is_repeated_).run());
        for (const ResultColumn& column : rows) DINETTE_CHECK(held_.add(size_of(column.values)));
        sources_.push_back(Source::of_rows(item.alias, std::move(rows)));
      } else {
        DINETTE_TRY(Source source, Source::open(session_, item));
        sources_.push_back(std::move(source));
      }
    }
    return {};
  }

  template <class Visit>
  Answer<void> for_each_expression(const Visit& visit) {
    for (FromItem& item : statement_.from)
      if (item.condition) DINETTE_CHECK(visit(*item.condition));
    for (SelectItem& item : statement_.items) DINETTE_CHECK(visit(item.expression));
    if (statement_.where) DINETTE_CHECK(visit(*statement_.where));
    for (Expression& group : statement_.groups) DINETTE_CHECK(visit(group));
    if (statement_.having) DINETTE_CHECK(visit(*statement_.having));
    for (OrderItem& item : statement_.order) DINETTE_CHECK(visit(item.expression));
    return {};
  }

  Answer<void> bind_all() {
    DINETTE_CHECK(for_each_expression([&](Expression& expression) { return replace_searches(expression); }));
    for (const Source& source : sources_)
      columns_.insert(columns_.end(), source.columns().begin(), source.columns().end());
    DINETTE_CHECK(bind_joins());
    DINETTE_CHECK(expand_items());
    for (SelectItem& item : statement_.items)
      if (!item.is_all) DINETTE_CHECK(bind(item.expression));
    if (statement_.where) {
      DINETTE_CHECK(bind(*statement_.where));
      if (has_aggregate(*statement_.where)) return refuse::sql_aggregate_inside();
    }
    for (Expression& group : statement_.groups) {
      DINETTE_CHECK(bind_place(group));
      if (has_aggregate(group)) return refuse::sql_aggregate_inside();
    }
    if (statement_.having) DINETTE_CHECK(bind_having(*statement_.having));
    for (OrderItem& item : statement_.order) {
      if (const SelectItem* const alias = find_alias(item.expression)) {
        DINETTE_TRY(item.expression, copy_of(alias->expression));
      } else {
        DINETTE_CHECK(bind_place(item.expression));
      }
    }
    const auto has_aggregates = [](const auto& item) { return has_aggregate(item.expression); };
    // Without groups and aggregates HAVING is a second WHERE.
    is_grouped_ = !statement_.groups.empty() || (statement_.having && has_aggregate(*statement_.having)) ||
                  std::ranges::any_of(statement_.items, has_aggregates) ||
                  std::ranges::any_of(statement_.order, has_aggregates);
    return {};
  }

  /// Conditions of search indexes become columns of their tables.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> replace_searches(Expression& expression) {
    if (!is_search_condition(expression)) {
      for (Expression& inner : expression.inner) DINETTE_CHECK(replace_searches(inner));
      return {};
    }
    const Expression* const column = searched_column(expression);
    if (column == nullptr) return refuse::sql_bad_search_condition();
    Source* const source = source_of(*column);
    if (source == nullptr) return refuse::sql_unknown_column(column->column);
    DINETTE_TRY(const search::IndexSchema* const schema, source->schema(session_));
    if (schema == nullptr) return refuse::sql_no_search_index(column->column);
    DINETTE_TRY(search::Condition condition, search_condition(expression, *schema, row_environment()));
    const std::string table = source->columns().empty() ? std::string() : source->columns().front().table;
    Expression replaced{.kind = SelectKind::column};
    replaced.column = source->add_condition(std::move(condition));
    replaced.qualifier = table;
    expression = std::move(replaced);
    return {};
  }

  /// Returns that of expressions without queries.
  Environment row_environment() const {
    return {.now = environment_.now, .query = {}, .budget = environment_.budget};
  }

  /// Returns the table whose search index knows a column: that of its name before it, or the first one with
  /// the column.
  Source* source_of(const Expression& column) {
    for (Source& source : sources_)
      for (const RelationColumn& known : source.columns())
        if (!column.qualifier.empty() && known.table == column.qualifier) return &source;
    if (sources_.size() == 1) return &sources_.front();
    for (Source& source : sources_)
      for (const RelationColumn& known : source.columns())
        if (base::equal_ignoring_case(known.name, column.column.substr(0, column.column.find('.'))))
          return &source;
    return nullptr;
  }

  /// The column of USING is that of the table that has all rows. `*` has it before the other columns.
  Answer<void> bind_joins() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      FromItem& item = statement_.from[i];
      const std::size_t end = begin + sources_[i].columns().size();
      std::vector<std::size_t> common;
      for (const std::string& name : item.common) {
        DINETTE_TRY(const std::size_t place, add_common(item, name, begin, end));
        common.push_back(place);
      }
      show_columns(item.join, std::move(common), begin, end);
      if (item.condition) {
        DINETTE_CHECK(bind(*item.condition, end));
        if (has_aggregate(*item.condition)) return refuse::sql_aggregate_inside();
      }
      begin = end;
    }
    return {};
  }

  /// Puts the columns of a table among those of `*`: those of a RIGHT JOIN before the ones of the left side.
  void show_columns(FromItem::Join join, std::vector<std::size_t>&& common, std::size_t begin,
                    std::size_t end) {
    std::vector<std::size_t> own;
    for (std::size_t place = begin; place < end; ++place) own.push_back(place);
    const bool is_right = join == FromItem::Join::right && !common.empty();
    std::vector<std::size_t> all = std::move(common);
    std::ranges::sort(all);
    for (const auto* const side : {is_right ? &own : &shown_, is_right ? &shown_ : &own})
      std::ranges::copy_if(*side, std::back_inserter(all), [&, before = all](std::size_t place) {
        return columns_[place].is_shown && std::ranges::find(before, place) == before.end();
      });
    shown_ = std::move(all);
  }

  /// Returns the place of the column that the two columns are.
  Answer<std::size_t> add_common(FromItem& item, const std::string& name, std::size_t begin,
                                 std::size_t end) {
    const std::span<const RelationColumn> columns(columns_);
    const Expression wanted{.kind = SelectKind::column, .column = name};
    DINETTE_TRY(const auto left, find_column(columns.first(begin), wanted));
    DINETTE_TRY(const auto right, find_column(columns.subspan(begin, end - begin), wanted));
    if (!left || !right) return refuse::sql_unknown_column(name);
    const auto column_at = [&](std::size_t place) {
      return Expression{
          .kind = SelectKind::column, .column = columns_[place].name, .qualifier = columns_[place].table};
    };
    Expression equal{.kind = SelectKind::equal};
    equal.inner.push_back(column_at(*left));
    equal.inner.push_back(column_at(begin + *right));
    const bool is_right = item.join == FromItem::Join::right;
    columns_[is_right ? *left : begin + *right].is_shown = false;
    if (item.condition) {
      Expression both{.kind = SelectKind::and_};
      both.inner.push_back(*std::move(item.condition));
      both.inner.push_back(std::move(equal));
      item.condition = std::move(both);
    } else {
      item.condition = std::move(equal);
    }
    return is_right ? begin + *right : *left;
  }

  /// Returns the places of the columns of `*`, or `table.*`.
  std::vector<std::size_t> places_of_all(const std::string& table) const {
    if (table.empty()) return shown_;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < columns_.size(); ++place)
      if (columns_[place].table == table && !columns_[place].name.starts_with('\1')) places.push_back(place);
    return places;
  }

  /// Those of `*` are bound.
  Answer<void> expand_items() {
    std::vector<SelectItem> items;
    for (SelectItem& item : statement_.items) {
      if (!item.is_all) {
        items.push_back(std::move(item));
        continue;
      }
      const std::size_t before = items.size();
      for (const std::size_t place : places_of_all(item.all_of)) {
        const RelationColumn& column = columns_[place];
        items.push_back({.expression = {.kind = SelectKind::column,
                                        .column = column.name,
                                        .qualifier = column.table,
                                        .place = place},
                         .name = column.name,
                         .is_all = true});
      }
      if (items.size() == before)
        return refuse::sql_unknown_column(item.all_of.empty() ? "*" : item.all_of + ".*");
    }
    statement_.items = std::move(items);
    return {};
  }

  /// `end`: how many columns can be seen.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
  Answer<void> bind(Expression& expression, std::size_t end) {
    if (expression.kind == SelectKind::column) return bind_column(expression, end);
    for (Expression& inner : expression.inner) DINETTE_CHECK(bind(inner, end));
    return {};
  }
  Answer<void> bind(Expression& expression) { return bind(expression, columns_.size()); }

  /// A column of a query around this one is a value while this one is carried out.
  Answer<void> bind_column(Expression& expression, std::size_t end) {
    constexpr std::size_t columns_of_step = 64;
    DINETTE_CHECK(session_.step(end / columns_of_step));
    DINETTE_TRY(const auto place, find_column(std::span(columns_).first(end), expression));
    if (place) {
      expression.place = *place;
      return {};
    }
    for (const Scope* scope = outer_; scope != nullptr; scope = scope->outer) {
      DINETTE_TRY(const auto outer_place, find_column(scope->columns, expression));
      if (!outer_place) continue;
      scope->is_used = true;
      // Conditions of a join do not see the tables after it.
      if (scope->row != nullptr && *outer_place >= scope->row->size()) break;
      SqlValue value = scope->row != nullptr ? (*scope->row)[*outer_place] : SqlValue();
      session_.budget().spend_copy(text_size(value));
      DINETTE_CHECK(held_.add(text_size(value)));
      expression = Expression{.kind = SelectKind::literal, .value = std::move(value)};
      return {};
    }
    return refuse::sql_unknown_column(name_of(expression));
  }

  static std::string name_of(const Expression& column) {
    return column.qualifier.empty() ? column.column : column.qualifier + '.' + column.column;
  }

  /// A number is the place of a column of the result.
  Answer<void> bind_place(Expression& expression) {
    const auto* const place = std::get_if<std::int64_t>(&expression.value);
    if (place == nullptr || expression.kind != SelectKind::literal) return bind_alias(expression);
    if (*place < 1 || *place > std::ssize(statement_.items))
      return refuse::sql_unknown_column(std::to_string(*place));
    DINETTE_TRY(expression, copy_of(statement_.items[static_cast<std::size_t>(*place - 1)].expression));
    return {};
  }

  /// Returns the item that has this name; null if the expression is no name.
  const SelectItem* find_alias(const Expression& expression) const {
    if (expression.kind != SelectKind::column || !expression.qualifier.empty()) return nullptr;
    const auto found = std::ranges::find_if(statement_.items, [&](const SelectItem& item) {
      return base::equal_ignoring_case(item.name, expression.column);
    });
    return found == statement_.items.end() ? nullptr : &*found;
  }

  /// The name of a column may be that of one of the result.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> bind_alias(Expression& expression) {
    if (expression.kind != SelectKind::column) {
      for (Expression& inner : expression.inner) DINETTE_CHECK(bind_alias(inner));
      return {};
    }
    const SelectItem* const alias = find_alias(expression);
    if (alias != nullptr) {
      DINETTE_TRY(const auto own, find_column(columns_, expression));
      if (own) {
        expression.place = *own;
        return {};
      }
      DINETTE_TRY(expression, copy_of(alias->expression));
      return {};
    }
    return bind(expression);
  }

  /// HAVING sees what is grouped by, then the columns of the result, and those of tables last. What an
  /// aggregate is about are columns of tables first.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> bind_having(Expression& expression) {
    if (expression.is_aggregate()) return bind_alias(expression);
    if (expression.kind != SelectKind::column) {
      for (Expression& inner : expression.inner) DINETTE_CHECK(bind_having(inner));
      return {};
    }
    const auto is_meant = [&](const Expression& group) {
      if (group.kind != SelectKind::column) return false;
      const RelationColumn& column = columns_[group.place];
      return base::equal_ignoring_case(column.name, expression.column) &&
             (expression.qualifier.empty() || expression.qualifier == column.table);
    };
    const auto group = std::ranges::find_if(statement_.groups, is_meant);
    if (group != statement_.groups.end()) {
      expression.place = group->place;
      return {};
    }
    const SelectItem* const alias = find_alias(expression);
    if (alias == nullptr) return bind(expression);
    DINETTE_TRY(expression, copy_of(alias->expression));
    return {};
  }

  /// Copies of large expressions are work as well.
  Answer<Expression> copy_of(const Expression& expression) {
    constexpr std::size_t steps_of_one = 20;
    DINETTE_CHECK(session_.step(steps_of_one * weight_of(expression)));
    return Expression(expression);
  }

  // Queries inside this one.

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue value_of_query(const Expression& expression, SqlRows rows) {
    if (failure_) return {};
    auto value = read_query(expression, rows);
    if (value) return *std::move(value);
    failure_ = value.error();
    return {};
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<SqlValue> read_query(const Expression& expression, SqlRows rows) {
    DINETTE_TRY(const auto found, result_of_query(*expression.query, rows));
    const std::size_t count = found->front().values.size();
    if (expression.kind == SelectKind::exists) return SqlValue(std::int64_t{count == 0 ? 0 : 1});
    if (found->size() != 1) return refuse::sql_several_columns();
    const std::vector<SqlValue>& values = found->front().values;
    if (expression.kind == SelectKind::subquery) {
      if (count > 1) return refuse::sql_several_rows();
      return count == 0 ? SqlValue() : values.front();
    }
    const SqlValue wanted = evaluate(expression.inner[0], rows, environment_);
    return is_among(wanted, values, expression.query.get());
  }

  /// NULL if it is not there, but may be.
  Answer<SqlValue> is_among(const SqlValue& wanted, const std::vector<SqlValue>& values,
                            const Select* query) {
    if (is_null(wanted)) return values.empty() ? SqlValue(std::int64_t{0}) : SqlValue();
    const auto known = results_.find(query);
    if (known != results_.end() && known->second.values.may_have(wanted)) {
      DINETTE_CHECK(session_.step(1));
      const ValueSet& set = known->second.values;
      if (set.has(wanted)) return SqlValue(std::int64_t{1});
      return set.has_null() ? SqlValue() : SqlValue(std::int64_t{0});
    }
    bool is_unknown = false;
    DINETTE_CHECK(session_.step(values.size()));
    for (const SqlValue& value : values) {
      const auto order = compare(wanted, value);
      if (order == 0) return SqlValue(std::int64_t{1});
      is_unknown |= !order;
    }
    return is_unknown ? SqlValue() : SqlValue(std::int64_t{0});
  }

  /// One that uses no row of this query is carried out once.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<std::shared_ptr<const Result>> result_of_query(const Select& query, SqlRows rows) {
    const auto known = results_.find(&query);
    if (known != results_.end()) return known->second.result;
    const Scope scope{columns_, rows.empty() ? nullptr : rows.front(), outer_};
    DINETTE_TRY(Result found, Query(session_, Select(query), &scope, true).run());
    auto result = std::make_shared<const Result>(std::move(found));
    if (!scope.is_used) {
      for (const ResultColumn& column : *result) DINETTE_CHECK(held_.add(size_of(column.values)));
      DINETTE_CHECK(session_.step(result->front().values.size()));
      DINETTE_CHECK(held_.add(result->front().values.size() * sizeof(SqlValue*)));
      results_.emplace(&query, KnownResult{result, ValueSet(result->front().values)});
    }
    return result;
  }

  /// Fails if an expression could not be evaluated.
  Answer<void> check_evaluated() const {
    if (failure_) return base::Failure<ApiError>(*failure_);
    return session_.budget().check();
  }

  // Rows.

  bool meets(const std::optional<Expression>& condition, SqlRows rows) const {
    return !condition || is_true(evaluate(*condition, rows, environment_));
  }

  Answer<void> count_row(const SqlRow& row) {
    return is_repeated_ ? session_.step(Budget::steps_of_row(weight_, size_of(row))) : Answer<void>();
  }

  /// Joins count the rows that they make, not what is evaluated on them.
  Answer<void> count_kept(const SqlRow& row) {
    if (is_repeated_ || !makes_rows_) return count_row(row);
    return session_.step(Budget::steps_of_row(weight_, 0) - 1);
  }

  /// Returns how many rows, groups or rows that differ are enough, if not all are.
  std::optional<std::size_t> enough() const {
    constexpr std::uint64_t all = std::numeric_limits<std::size_t>::max();
    if (!statement_.limit || *statement_.limit > all - statement_.offset) return std::nullopt;
    return statement_.offset + *statement_.limit;
  }

  /// Returns true if rows that are read now are not returned.
  bool is_full() const {
    const bool uses_all =
        is_grouped_ || statement_.is_distinct || statement_.having || !statement_.order.empty();
    const auto most = enough();
    return !uses_all && most && rows_.size() >= *most;
  }

  Answer<void> keep(SqlRow&& row) {
    if (is_full()) return {};
    DINETTE_CHECK(count_kept(row));
    const SqlRow* const one = &row;
    const bool is_kept = meets(statement_.where, SqlRows(&one, 1));
    DINETTE_CHECK(check_evaluated());
    if (!is_kept) return {};
    DINETTE_CHECK(held_.add(size_of(row)));
    rows_.push_back(std::move(row));
    return {};
  }

  Answer<SomeRows> read_all(Source& source) {
    SomeRows all{.width = source.columns().size()};
    const auto take = [&](SqlRow&& row) -> Answer<bool> {
      DINETTE_CHECK(count_row(row));
      DINETTE_CHECK(held_.add(size_of(row)));
      all.rows.push_back(std::move(row));
      return true;
    };
    DINETTE_CHECK(source.read(session_, take));
    return all;
  }

  Answer<void> read_rows() {
    if (sources_.empty()) return keep(SqlRow());
    const auto take = [&](SqlRow&& row) -> Answer<bool> {
      DINETTE_CHECK(keep(std::move(row)));
      return !is_full();
    };
    if (sources_.size() == 1) return sources_.front().read(session_, take);
    DINETTE_TRY(SomeRows joined, read_all(sources_.front()));
    for (std::size_t i = 1; i < sources_.size(); ++i) {
      DINETTE_TRY(SomeRows more, read_all(sources_[i]));
      const FromItem& item = statement_.from[i];
      const JoinStep step{item.join, item.condition ? &*item.condition : nullptr, columns_};
      DINETTE_TRY(joined, join(session_, environment_, held_, std::move(joined), std::move(more), step));
      DINETTE_CHECK(check_evaluated());
    }
    for (SqlRow& row : joined.rows) DINETTE_CHECK(keep(std::move(row)));
    return {};
  }

  Answer<void> make_groups() {
    if (!is_grouped_) {
      for (const SqlRow& row : rows_) groups_.push_back({&row});
    } else if (statement_.groups.empty()) {
      Group& all = groups_.emplace_back();
      for (const SqlRow& row : rows_) all.push_back(&row);
    } else {
      std::map<SqlRow, Group, LessRow> groups;
      for (const SqlRow& row : rows_) {
        HeldBytes own(&session_.budget());
        DINETTE_TRY(SqlRow key, values_of(statement_.groups, {&row}, own));
        const auto [place, is_new] = groups.try_emplace(std::move(key));
        if (is_new) DINETTE_CHECK(held_.add(own.bytes()));
        place->second.push_back(&row);
      }
      for (auto& [key, group] : groups) groups_.push_back(std::move(group));
    }
    if (statement_.having)
      std::erase_if(groups_, [&](const Group& group) { return !meets(statement_.having, group); });
    DINETTE_CHECK(sort());
    return check_evaluated();
  }

  /// Each value is held as soon as it is there: all of them may be many times as large as the row.
  template <class Items>
  Answer<SqlRow> values_of(const Items& items, const Group& group, HeldBytes& held) const {
    SqlRow values;
    DINETTE_CHECK(held.add(sizeof values));
    for (const auto& item : items) {
      const SqlValue& value = values.emplace_back(evaluate(expression_of(item), group, environment_));
      DINETTE_CHECK(check_evaluated());
      DINETTE_CHECK(held.add(sizeof value + text_size(value)));
    }
    return values;
  }

  Answer<void> sort() {
    if (statement_.order.empty()) return {};
    std::vector<std::pair<SqlRow, Group>> keyed;
    for (Group& group : groups_) {
      DINETTE_TRY(SqlRow key, values_of(statement_.order, group, held_));
      keyed.emplace_back(std::move(key), std::move(group));
    }
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) { return precedes(a.first, b.first); });
    groups_.clear();
    for (auto& [key, group] : keyed) groups_.push_back(std::move(group));
    return {};
  }

  bool precedes(const SqlRow& a, const SqlRow& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const int order = order_of(a[i], b[i]);
      if (order != 0) return statement_.order[i].descending ? order > 0 : order < 0;
    }
    return false;
  }

  // The result.

  /// Evaluates the items of rows that are returned; of DISTINCT those before them as well.
  Answer<std::vector<SqlRow>> selected_rows() {
    const std::size_t end = std::min(enough().value_or(groups_.size()), groups_.size());
    const std::size_t begin = std::min<std::uint64_t>(statement_.offset, end);
    std::vector<SqlRow> rows;
    for (const Group& group : std::span(groups_).subspan(begin, end - begin)) {
      DINETTE_TRY(SqlRow row, values_of(statement_.items, group, held_));
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Answer<std::vector<SqlRow>> distinct_rows() {
    std::vector<SqlRow> rows;
    std::set<SqlRow, LessRow> known;
    const auto most = enough();
    for (const Group& group : groups_) {
      if (most && known.size() >= *most) break;
      HeldBytes own(&session_.budget());
      DINETTE_TRY(SqlRow row, values_of(statement_.items, group, own));
      if (!known.insert(row).second) continue;
      DINETTE_CHECK(held_.add(2 * own.bytes()));
      if (known.size() > statement_.offset) rows.push_back(std::move(row));
    }
    return rows;
  }

  /// Values are gone from the rows as soon as they are in their column.
  Answer<Result> result() {
    DINETTE_TRY(std::vector<SqlRow> rows, statement_.is_distinct ? distinct_rows() : selected_rows());
    groups_.clear();
    rows_.clear();
    Result result;
    for (std::size_t i = 0; i < statement_.items.size(); ++i) {
      ResultColumn& column = result.emplace_back();
      column.name = statement_.items[i].name;
      column.type = type_of_item(statement_.items[i].expression, rows, i);
      column.values.reserve(rows.size());
      for (SqlRow& row : rows) column.values.push_back(converted(std::exchange(row[i], {}), column.type));
    }
    return result;
  }

  /// Of what is no column the type of its values; of an aggregate without rows, that it would have.
  // NOLINTNEXTLINE(misc-no-recursion)
  ResultType type_of_item(const Expression& expression, const std::vector<SqlRow>& rows,
                          std::size_t place) const {
    if (expression.kind == SelectKind::column) return columns_[expression.place].type;
    if (expression.kind == SelectKind::count) return ResultType::whole;
    if (expression.kind == SelectKind::sum || expression.kind == SelectKind::avg) return ResultType::real;
    if (expression.is_aggregate()) return type_of_item(expression.inner[0], rows, place);
    if (expression.kind == SelectKind::call && expression.function->returns != Returns::values)
      return type_returned(expression.function->returns);
    ResultType type = ResultType::none;
    for (const SqlRow& row : rows) type = common_type(type, type_of(row[place]));
    return type == ResultType::none ? ResultType::whole : type;
  }

  Session& session_;
  HeldBytes held_;
  Select statement_;
  const Scope* const outer_;
  const bool is_repeated_;
  bool makes_rows_ = false;  ///< there may be more rows than in tables
  std::size_t weight_ = 0;   ///< of its expressions, if it is repeated, or makes rows
  Environment environment_;
  std::vector<Source> sources_;
  std::vector<RelationColumn> columns_;
  std::vector<std::size_t> shown_;  ///< the places of the columns of `*`
  bool is_grouped_ = false;
  std::vector<SqlRow> rows_;
  std::vector<Group> groups_;
  std::map<const Select*, KnownResult> results_;
  std::optional<ApiError> failure_;
};

}  // namespace

Answer<Selected> select(const Context& context, Select&& statement) {
  Session session(context);
  DINETTE_TRY(Result result, Query(session, std::move(statement), nullptr, false).run());
  return Selected{std::move(result), session.reads()};
}

}  // namespace dinette::tablestore::sql
