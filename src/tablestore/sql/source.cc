#include "tablestore/sql/source.h"

#include <algorithm>

#include "dinette/base/ascii.h"

#include "tablestore/filters/filter.h"
#include "tablestore/rows/read_target.h"
#include "tablestore/rows/row_scan.h"

namespace dinette::tablestore::sql {
namespace {

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

/// Indexes that a statement names must be there; the rows are the same by all of them.
Answer<void> check_hints(const TableMeta& table, const FromItem& item) {
  for (const std::string& index : item.indexes) {
    const bool is_known = base::equal_ignoring_case(index, "primary") || table.index(index) != nullptr ||
                          table.search_index(index) != nullptr;
    if (!is_known) return refuse::sql_unknown_index(index, item.table);
  }
  return {};
}

SqlValue value_of_field(const search::FieldValue& value) {
  return std::visit([](const auto& one) { return SqlValue(one); }, value);
}

}  // namespace

Answer<std::optional<std::size_t>> find_column(std::span<const RelationColumn> columns,
                                               const Expression& wanted) {
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const RelationColumn& column = columns[i];
    const bool fits = wanted.qualifier.empty() ? column.is_shown : column.table == wanted.qualifier;
    if (!fits || !base::equal_ignoring_case(column.name, wanted.column)) continue;
    if (place) return refuse::sql_ambiguous_column(wanted.column);
    place = i;
  }
  return place;
}

Answer<Source> Source::open(Session& session, const FromItem& item) {
  Source source;
  DINETTE_TRY(source.table_, open_mapping(session.context(), item.table));
  DINETTE_CHECK(check_hints(source.table_->table.meta(), item));
  for (const SqlColumn& column : source.table_->columns())
    source.columns_.push_back({item.name(), column.name, type_of_column(column)});
  return source;
}

Source Source::of_rows(const std::string& alias, Result&& rows) {
  Source source;
  for (const ResultColumn& column : rows) source.columns_.push_back({alias, column.name, column.type});
  source.rows_ = std::move(rows);
  return source;
}

/// Of a table it is the first one: functions of search indexes choose an index themselves.
Answer<const search::IndexSchema*> Source::schema(Session& session) {
  if (schema_ || !table_) return schema_.get();
  const TableMeta& table = table_->table.meta();
  const SqlMapping* const mapping = table_->mapping;
  const SearchIndexMeta* index = nullptr;
  if (mapping == nullptr && !table.search_indexes.empty()) index = &table.search_indexes.front();
  if (mapping != nullptr && mapping->searches) index = table.search_index(mapping->index);
  if (index == nullptr) return nullptr;
  constexpr std::size_t bytes_of_step = 16;
  DINETTE_CHECK(session.step(index->schema.size() / bytes_of_step));
  DINETTE_TRY(search::IndexSchema schema, search::IndexSchema::read(index->schema));
  schema_ = std::make_unique<const search::IndexSchema>(std::move(schema));
  return schema_.get();
}

/// No column has such a name.
std::string Source::add_condition(search::Condition condition) {
  conditions_.push_back(std::move(condition));
  std::string name = '\1' + std::to_string(conditions_.size());
  columns_.push_back(
      {columns_.empty() ? std::string() : columns_.front().table, name, ResultType::boolean, false});
  return name;
}

Answer<void> Source::read(Session& session, Take take) {
  if (table_) return read_table(session, take);
  const std::size_t count = rows_.empty() ? 0 : rows_.front().values.size();
  for (std::size_t i = 0; i < count; ++i) {
    SqlRow row;
    for (const ResultColumn& column : rows_) row.push_back(column.values[i]);
    DINETTE_TRY(const bool goes_on, take(std::move(row)));
    if (!goes_on) break;
  }
  return {};
}

Answer<void> Source::read_table(Session& session, Take take) {
  const Context& context = session.context();
  const TableMeta& meta = table_->table.meta();
  const bool is_index = table_->mapping != nullptr && !table_->mapping->searches;
  const std::string name = is_index ? table_->mapping->index : meta.name;
  ReadTarget target{table_->table.table, store::Area::rows(), meta.key};
  if (is_index) {
    DINETTE_TRY(target, open_to_read(context, name));
  }
  const bool has_fields = table_->mapping != nullptr && table_->mapping->searches;
  if (has_fields) DINETTE_CHECK(schema(session));
  const RowSelection all;
  std::size_t bytes = 0;
  DINETTE_TRY(const store::View* const view, session.view());
  DINETTE_TABLESTORE_STORED(
      RowScan rows, RowScan::open(*view, target, {}, store::Direction::forward, all, context.now, nullptr));
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, rows.next());
    if (!more) break;
    SqlRow row = row_of(rows.key(), rows.cells());
    bytes += size_of(rows.key());
    for (const Cell& cell : rows.cells()) bytes += cell.name.size() + size_of(cell.value);
    if (has_fields || !conditions_.empty())
      add_values(search::document_of(*schema_, rows.key(), rows.cells()), row);
    DINETTE_TRY(const bool goes_on, take(std::move(row)));
    if (!goes_on) break;
  }
  session.add_read(name, meta.reserved, bytes);
  return {};
}

/// A cell of another type than the column's is NULL.
SqlRow Source::row_of(const PrimaryKey& key, const Cells& cells) const {
  SqlRow row;
  for (const SqlColumn& column : table_->columns()) {
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

/// Fields that are made from other columns, and conditions.
void Source::add_values(const search::Document& document, SqlRow& row) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const search::Field* const field = schema_->find(columns_[i].name);
    if (field == nullptr || field->sources.empty()) continue;
    const auto& values = document.values_of(field->name);
    row[i] = values.empty() ? SqlValue() : value_of_field(values.front());
  }
  for (const search::Condition& condition : conditions_) row.emplace_back(condition(document));
}

}  // namespace dinette::tablestore::sql
