#include "tablestore/sql/change_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/rows/local_transactions.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/rows/row_table.h"
#include "tablestore/sql/mappings.h"
#include "tablestore/sql/row_values.h"

namespace dinette::tablestore::sql {
namespace {

using Kind = Expression::Kind;

/// The values of a row by column, which must outlive the writes that are made of them.
using NamedValues = std::vector<std::pair<const SqlColumn*, SqlValue>>;

const SqlValue* value_of(const NamedValues& values, std::string_view column) {
  for (const auto& [one, value] : values)
    if (one->name == column) return &value;
  return nullptr;
}

/// The key has views of the values.
Answer<PrimaryKey> key_of(const TableMeta& table, const NamedValues& values) {
  static const SqlValue null;
  PrimaryKey key;
  for (const KeyColumnMeta& part : table.key) {
    DINETTE_TRY(const SqlColumn* const column, column_of(table, part.name));
    const SqlValue* const value = value_of(values, part.name);
    DINETTE_TRY(const Value stored, key_value(*column, value != nullptr ? *value : null));
    key.push_back({part.name, stored});
  }
  return key;
}

/// Carries out writes of one partition, all or none.
Answer<Changed> write(const Context& context, const OpenTable& mapped, std::span<const RowWrite> writes) {
  return write_to_table(
      context, mapped.table->name, [&](const OpenTable& table) -> Answer<std::optional<Changed>> {
        for (const RowWrite& one : writes) DINETTE_CHECK(check_fits(one, table.meta(), context.now));
        DINETTE_TRY(const auto pass,
                    pass_to_write(context, *table.table, writes.front().row.key.front().value));
        DINETTE_TRY(const auto rows, write_rows(context, table, writes));
        if (!rows) return std::optional<Changed>();
        Changed changed{.rows = std::ssize(*rows)};
        for (std::size_t i = 0; i < rows->size(); ++i)
          changed.units +=
              reply_to(writes[i], (*rows)[i], table.meta().options).consumed.capacity_unit.write.value_or(0);
        return std::optional(changed);
      });
}

/// A condition that does not hold is an error of the statement, or an outcome.
bool failed_condition(const Answer<Changed>& changed) {
  return !changed && !changed.error().must_wait &&
         changed.error().code == api::ErrorCode::condition_check_fail;
}

/// One INSERT, from its values to its rows.
class Insertion {
 public:
  Insertion(const Context& context, const OpenTable& table, const Insert& statement)
      : environment_{.now = context.now, .query = {}, .budget = &budget_},
        context_(context),
        table_(table),
        statement_(statement) {}

  Answer<Changed> run() {
    if (statement_.rows.size() > limits::batch_write_rows)
      return refuse::sql_too_many_rows(static_cast<std::int64_t>(limits::batch_write_rows));
    DINETTE_CHECK(find_columns());
    for (const auto& row : statement_.rows) DINETTE_CHECK(read_values(row));
    for (const NamedValues& values : values_) DINETTE_CHECK(add_write(values));
    DINETTE_CHECK(check_partitions());
    if (statement_.present != Insert::Present::refused) return refuse::transactions_are_off();
    DINETTE_CHECK(check_keys());
    auto changed = write(context_, table_, writes_);
    if (failed_condition(changed)) return refuse::sql_duplicate_entry();
    return changed;
  }

 private:
  const TableMeta& meta() const { return table_.meta(); }

  Answer<void> find_columns() {
    for (const SqlColumn& column : meta().sql_columns)
      if (statement_.columns.empty()) columns_.push_back(&column);
    for (const std::string& name : statement_.columns) {
      DINETTE_TRY(const SqlColumn* const column, column_of(meta(), name));
      if (std::ranges::find(columns_, column) != columns_.end()) return refuse::sql_duplicate_column(name);
      columns_.push_back(column);
    }
    return {};
  }

  Answer<void> read_values(const std::vector<Expression>& row) {
    if (row.size() != columns_.size()) return refuse::sql_wrong_number_of_values(std::ssize(values_) + 1);
    NamedValues& values = values_.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      DINETTE_TRY(SqlValue value, constant(row[i], environment_));
      values.emplace_back(columns_[i], std::move(value));
    }
    return {};
  }

  Answer<void> add_write(const NamedValues& values) {
    RowMessage row;
    DINETTE_TRY(row.key, key_of(meta(), values));
    for (const auto& [column, value] : values) {
      if (column->key_place != 0) continue;
      DINETTE_TRY(const auto stored, stored_value(*column, value));
      if (stored) row.cells.push_back({.name = column->name, .value = *stored});
    }
    constexpr api::Condition absent{.row_existence = api::RowExistenceExpectation::expect_not_exist};
    DINETTE_TRY(RowWrite one,
                check_row_write(api::OperationType::put, std::move(row), absent, {}, context_.switches));
    one.place = static_cast<std::uint32_t>(writes_.size());
    writes_.push_back(std::move(one));
    return {};
  }

  /// All rows have one partition key.
  Answer<void> check_partitions() const {
    const std::string partition = encode_partition(writes_.front().row.key.front().value);
    for (const RowWrite& one : writes_)
      if (encode_partition(one.row.key.front().value) != partition)
        return refuse::sql_several_partitions(name_of(statement_.present));
    return {};
  }

  /// No row is there twice.
  Answer<void> check_keys() const {
    std::set<std::string> keys;
    for (const RowWrite& one : writes_)
      if (!keys.insert(encode_key(one.row.key)).second) return refuse::sql_duplicate_entry();
    return {};
  }

  static std::string_view name_of(Insert::Present present) {
    if (present == Insert::Present::kept) return "insert ignore";
    return present == Insert::Present::updated ? "insert ... on duplicate key update" : "insert into";
  }

  Budget budget_;
  const Environment environment_;
  const Context& context_;
  const OpenTable& table_;
  const Insert& statement_;
  std::vector<const SqlColumn*> columns_;
  std::vector<NamedValues> values_;
  std::vector<RowWrite> writes_;
};

/// Takes the conditions of a WHERE that are joined by AND, each of which must be `column = constant`.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
Answer<void> take_conditions(const TableMeta& table, const Expression& where, const Environment& environment,
                             NamedValues& values) {
  if (where.kind == Kind::and_) {
    DINETTE_CHECK(take_conditions(table, where.inner[0], environment, values));
    return take_conditions(table, where.inner[1], environment, values);
  }
  if (where.kind != Kind::equal) return refuse::sql_not_of_one_row();
  const bool is_turned = where.inner[1].kind == Kind::column;
  const Expression& name = where.inner[is_turned ? 1 : 0];
  if (name.kind != Kind::column) return refuse::sql_not_of_one_row();
  DINETTE_TRY(const SqlColumn* const column, column_of(table, name.column));
  auto value = constant(where.inner[is_turned ? 0 : 1], environment);
  if (!value || column->key_place == 0 || value_of(values, column->name) != nullptr)
    return refuse::sql_not_of_one_row();
  values.emplace_back(column, *std::move(value));
  return {};
}

/// Reads the values of the key that a statement is about: all of it, and nothing else.
Answer<NamedValues> key_values(const TableMeta& table, const Change& change, std::string_view statement,
                               const Environment& environment) {
  if (change.has_limit) return refuse::sql_limit_in_change(statement);
  if (change.has_order) return refuse::sql_order_in_change(statement);
  NamedValues values;
  if (!change.where) return refuse::sql_not_of_one_row();
  DINETTE_CHECK(take_conditions(table, *change.where, environment, values));
  if (values.size() != table.key.size()) return refuse::sql_not_of_one_row();
  return values;
}

/// Writes one row that must be there.
Answer<Changed> change_row(const Context& context, const OpenTable& table, api::OperationType kind,
                           RowMessage row) {
  constexpr api::Condition present{.row_existence = api::RowExistenceExpectation::expect_exist};
  DINETTE_TRY(const RowWrite one, check_row_write(kind, std::move(row), present, {}, context.switches));
  auto changed = write(context, table, std::span(&one, 1));
  if (failed_condition(changed)) return Changed{.units = 1};
  return changed;
}

/// Returns what is added to a column by an assignment such as `n = n + 1`; NULL if it is none.
Answer<SqlValue> increment_in(const Assignment& assignment, const Environment& environment) {
  const Expression& value = assignment.value;
  if (value.kind != Kind::add && value.kind != Kind::subtract) return SqlValue();
  const Expression& column = value.inner[0];
  if (column.kind != Kind::column || !base::equal_ignoring_case(column.column, assignment.column))
    return SqlValue();
  DINETTE_TRY(SqlValue by, constant(value.inner[1], environment));
  const SqlValue sign(std::int64_t{value.kind == Kind::add ? 1 : -1});
  Expression product{.kind = Kind::multiply};
  product.inner.push_back({.value = std::move(by)});
  product.inner.push_back({.value = sign});
  return evaluate(product, {});
}

/// Returns the change of a cell. The text is a view of `values`.
Answer<CellChange> change_of(const SqlColumn& column, const Assignment& assignment,
                             const Environment& environment, std::vector<SqlValue>& values) {
  if (column.key_place != 0) return refuse::sql_change_of_key(column.name);
  auto value = constant(assignment.value, environment);
  if (value) {
    DINETTE_TRY(const auto stored, stored_value(column, values.emplace_back(*std::move(value))));
    if (stored) return CellChange{.name = column.name, .value = *stored};
    return CellChange{.name = column.name, .operation = CellOperation::delete_all_versions};
  }
  auto by = increment_in(assignment, environment);
  const bool is_number = column.type.values == ValueType::integer || column.type.values == ValueType::real ||
                         column.type.values == ValueType::boolean;
  if (!by || is_null(*by) || !is_number) return refuse::sql_other_assignment();
  const auto* const whole = std::get_if<std::int64_t>(&*by);
  if (column.type.values != ValueType::integer || whole == nullptr)
    return refuse::sql_increment_of_other_type();
  return CellChange{
      .name = column.name, .value = Value::integer(*whole), .operation = CellOperation::increment};
}

}  // namespace

Answer<Changed> insert(const Context& context, const Insert& statement) {
  DINETTE_TRY(const OpenTable table, open_mapped(context, statement.table));
  return Insertion(context, table, statement).run();
}

Answer<Changed> update(const Context& context, const Update& statement) {
  DINETTE_TRY(const OpenTable table, open_mapped(context, statement.table));
  Budget budget;
  const Environment environment{.now = context.now, .query = {}, .budget = &budget};
  DINETTE_TRY(const NamedValues key, key_values(table.meta(), statement, "update", environment));
  RowMessage row;
  DINETTE_TRY(row.key, key_of(table.meta(), key));
  std::vector<SqlValue> values;
  values.reserve(statement.assignments.size());
  for (const Assignment& assignment : statement.assignments) {
    DINETTE_TRY(const SqlColumn* const column, column_of(table.meta(), assignment.column));
    DINETTE_TRY(CellChange change, change_of(*column, assignment, environment, values));
    row.cells.push_back(change);
  }
  return change_row(context, table, api::OperationType::update, std::move(row));
}

Answer<Changed> erase(const Context& context, const Delete& statement) {
  DINETTE_TRY(const OpenTable table, open_mapped(context, statement.table));
  Budget budget;
  const Environment environment{.now = context.now, .query = {}, .budget = &budget};
  DINETTE_TRY(const NamedValues key, key_values(table.meta(), statement, "delete", environment));
  RowMessage row{.key = {}, .cells = {}, .deletes = true};
  DINETTE_TRY(row.key, key_of(table.meta(), key));
  return change_row(context, table, api::OperationType::delete_, std::move(row));
}

}  // namespace dinette::tablestore::sql
