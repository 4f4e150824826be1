#include "tablestore/sql/select.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"
#include "tablestore/filters/filter.h"
#include "tablestore/rows/row_scan.h"
#include "tablestore/sql/row_values.h"

namespace dinette::tablestore::sql {
namespace {

using Group = std::vector<const SqlRow*>;

struct LessRow {
  bool operator()(const SqlRow& a, const SqlRow& b) const {
    return std::ranges::lexicographical_compare(
        a, b, [](const SqlValue& x, const SqlValue& y) { return order_of(x, y) < 0; });
  }
};

ResultType type_of_column(const SqlColumn& column) {
  switch (column.type.values) {
    case ValueType::integer:
      return ResultType::whole;
    case ValueType::real:
      return ResultType::real;
    case ValueType::boolean:
      return ResultType::boolean;
    case ValueType::binary:
      return ResultType::bytes;
    default:
      return ResultType::text;
  }
}

/// One query, from its statement to its result.
class Query {
 public:
  Query(const Context& context, const OpenTable& table, Select&& statement)
      : context_(context), table_(table), statement_(std::move(statement)) {}

  Answer<Selected> run() {
    DINETTE_CHECK(bind_all());
    DINETTE_CHECK(read_rows());
    make_groups();
    return Selected{result(), bytes_};
  }

 private:
  const std::vector<SqlColumn>& columns() const { return table_.meta().sql_columns; }

  Answer<void> bind_all() {
    if (statement_.all_columns) {
      std::vector<SelectItem> all;
      for (const SqlColumn& column : columns())
        all.push_back({{.kind = Expression::Kind::column, .column = column.name}, column.name});
      statement_.items.insert(statement_.items.begin(), all.begin(), all.end());
    }
    for (SelectItem& item : statement_.items) DINETTE_CHECK(bind(item.expression));
    if (statement_.where) {
      DINETTE_CHECK(bind(*statement_.where));
      if (has_aggregate(*statement_.where)) return refuse::sql_aggregate_inside();
    }
    for (Expression& group : statement_.groups) DINETTE_CHECK(bind_name(group));
    if (statement_.having) DINETTE_CHECK(bind_name(*statement_.having));
    for (OrderItem& item : statement_.order) DINETTE_CHECK(bind_name(item.expression));
    is_grouped_ = !statement_.groups.empty() || statement_.having.has_value() ||
                  std::ranges::any_of(statement_.items,
                                      [](const SelectItem& item) { return has_aggregate(item.expression); });
    return {};
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
  Answer<void> bind(Expression& expression) const {
    if (expression.kind == Expression::Kind::column) {
      DINETTE_TRY(const SqlColumn* const column, column_of(table_.meta(), expression.column));
      expression.place = static_cast<std::size_t>(column - columns().data());
    }
    for (Expression& inner : expression.inner) DINETTE_CHECK(bind(inner));
    return {};
  }

  /// A number is the place of a column of the result, and its name may be an alias.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> bind_name(Expression& expression) const {
    if (const auto* const place = std::get_if<std::int64_t>(&expression.value);
        place != nullptr && expression.kind == Expression::Kind::literal) {
      if (*place < 1 || *place > std::ssize(statement_.items))
        return refuse::sql_unknown_column(std::to_string(*place));
      expression = statement_.items[static_cast<std::size_t>(*place - 1)].expression;
      return {};
    }
    return bind_alias(expression);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> bind_alias(Expression& expression) const {
    const auto alias = std::ranges::find_if(statement_.items, [&](const SelectItem& item) {
      return base::equal_ignoring_case(item.name, expression.column);
    });
    const bool is_name = expression.kind == Expression::Kind::column;
    if (is_name && !column_of(table_.meta(), expression.column) && alias != statement_.items.end()) {
      expression = Expression(alias->expression);
      return {};
    }
    if (is_name) return bind(expression);
    for (Expression& inner : expression.inner) DINETTE_CHECK(bind_alias(inner));
    return {};
  }

  Answer<void> read_rows() {
    std::vector<KeyColumnMeta> key = table_.meta().key;
    const ReadTarget target{table_.table, store::Area::rows(), std::move(key)};
    const RowSelection all;
    DINETTE_TABLESTORE_STORED(const store::View view, context_.store.view());
    DINETTE_TABLESTORE_STORED(
        RowScan rows, RowScan::open(view, target, {}, store::Direction::forward, all, context_.now, nullptr));
    for (;;) {
      DINETTE_TABLESTORE_STORED(const bool more, rows.next());
      if (!more) return {};
      SqlRow row = row_of(rows.key(), rows.cells());
      bytes_ += size_of(rows.key());
      for (const Cell& cell : rows.cells()) bytes_ += cell.name.size() + size_of(cell.value);
      const SqlRow* const one = &row;
      if (!statement_.where || is_true(evaluate(*statement_.where, SqlRows(&one, 1))))
        rows_.push_back(std::move(row));
    }
  }

  /// A cell of another type than the column's is NULL.
  SqlRow row_of(const PrimaryKey& key, const Cells& cells) const {
    SqlRow row;
    for (const SqlColumn& column : columns()) {
      SqlValue& value = row.emplace_back();
      const auto in_key = std::ranges::find(key, column.name, &KeyColumn::name);
      const auto versions = cells_of(cells, column.name);
      const Value* const stored = in_key != key.end() ? &in_key->value
                                  : versions.empty()  ? nullptr
                                                      : &versions.front().value;
      if (stored != nullptr && stored->type() == column.type.values) value = sql_value_of(*stored);
    }
    return row;
  }

  void make_groups() {
    if (!is_grouped_) {
      for (const SqlRow& row : rows_) groups_.push_back({&row});
    } else if (statement_.groups.empty()) {
      Group& all = groups_.emplace_back();
      for (const SqlRow& row : rows_) all.push_back(&row);
    } else {
      std::map<SqlRow, Group, LessRow> groups;
      for (const SqlRow& row : rows_) groups[values_of(statement_.groups, {&row})].push_back(&row);
      for (auto& [key, group] : groups) groups_.push_back(std::move(group));
    }
    if (statement_.having)
      std::erase_if(groups_,
                    [&](const Group& group) { return !is_true(evaluate(*statement_.having, group)); });
    sort();
  }

  static SqlRow values_of(const std::vector<Expression>& expressions, const Group& group) {
    SqlRow values;
    for (const Expression& expression : expressions) values.push_back(evaluate(expression, group));
    return values;
  }

  void sort() {
    if (statement_.order.empty()) return;
    std::vector<Expression> expressions;
    for (const OrderItem& item : statement_.order) expressions.push_back(item.expression);
    std::vector<std::pair<SqlRow, Group>> keyed;
    for (Group& group : groups_) {
      SqlRow key = values_of(expressions, group);
      keyed.emplace_back(std::move(key), std::move(group));
    }
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) { return precedes(a.first, b.first); });
    groups_.clear();
    for (auto& [key, group] : keyed) groups_.push_back(std::move(group));
  }

  bool precedes(const SqlRow& a, const SqlRow& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const int order = order_of(a[i], b[i]);
      if (order != 0) return statement_.order[i].descending ? order > 0 : order < 0;
    }
    return false;
  }

  Result result() const {
    std::vector<SqlRow> rows;
    std::map<SqlRow, bool, LessRow> known;
    for (const Group& group : groups_) {
      SqlRow row;
      for (const SelectItem& item : statement_.items) row.push_back(evaluate(item.expression, group));
      if (statement_.is_distinct && !known.emplace(row, true).second) continue;
      rows.push_back(std::move(row));
    }
    const std::size_t begin = std::min<std::uint64_t>(statement_.offset, rows.size());
    const std::size_t most =
        statement_.limit ? std::min<std::uint64_t>(*statement_.limit, rows.size()) : rows.size();
    const std::size_t end = std::min(begin + most, rows.size());
    Result result;
    for (std::size_t i = 0; i < statement_.items.size(); ++i) {
      ResultColumn& column = result.emplace_back();
      column.name = statement_.items[i].name;
      column.type = type_of_item(statement_.items[i].expression, rows, i);
      for (std::size_t row = begin; row < end; ++row)
        column.values.push_back(converted(rows[row][i], column.type));
    }
    return result;
  }

  /// Of what is no column the type of its values; of an aggregate without rows, that it would have.
  ResultType type_of_item(const Expression& expression, const std::vector<SqlRow>& rows,
                          std::size_t place) const {
    if (expression.kind == Expression::Kind::column) return type_of_column(columns()[expression.place]);
    if (expression.kind == Expression::Kind::count) return ResultType::whole;
    if (expression.kind == Expression::Kind::sum || expression.kind == Expression::Kind::avg)
      return ResultType::real;
    if (expression.is_aggregate()) return type_of_item(expression.inner[0], rows, place);
    if (expression.kind == Expression::Kind::from_unixtime) return ResultType::datetime;
    if (expression.kind == Expression::Kind::date) return ResultType::date;
    if (expression.kind == Expression::Kind::timediff) return ResultType::time;
    ResultType type = ResultType::none;
    for (const SqlRow& row : rows) {
      const ResultType own = type_of(row[place]);
      if (own == ResultType::real && type == ResultType::whole) type = own;
      if (type == ResultType::none) type = own;
    }
    return type == ResultType::none ? ResultType::whole : type;
  }

  const Context& context_;
  const OpenTable& table_;
  Select statement_;
  bool is_grouped_ = false;
  std::vector<SqlRow> rows_;
  std::vector<Group> groups_;
  std::size_t bytes_ = 0;
};

}  // namespace

Answer<Selected> select(const Context& context, const OpenTable& table, Select&& statement) {
  return Query(context, table, std::move(statement)).run();
}

}  // namespace dinette::tablestore::sql
