#include "tablestore/rows/instance.h"

#include <utility>

#include <catch2/catch.hpp>

#include "dinette/tablestore/service.h"
#include "dinette/tablestore/verify.h"

#include "support/engines.h"
#include "tablestore/api/client.h"
#include "tablestore/api/delete_row.h"
#include "tablestore/api/get_range.h"
#include "tablestore/api/get_row.h"
#include "tablestore/api/put_row.h"
#include "tablestore/api/update_row.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore::test {
namespace {

tenancy::WorldsOptions worlds(std::shared_ptr<kv::Engine> engine) {
  tenancy::WorldsOptions options;
  options.engines = ::test::make_test_engines();
  options.default_engine = engine ? std::move(engine) : ::test::make_test_engine();
  options.faces = {world_face()};
  options.run_jobs = false;
  return options;
}

std::string text_of_value(const Value& value) {
  switch (value.type()) {
    case ValueType::integer:
      return std::to_string(value.as_integer());
    case ValueType::real: {
      std::string digits = std::to_string(value.as_real());
      return digits.substr(0, digits.find_last_not_of('0') + 1);
    }
    case ValueType::boolean:
      return value.as_boolean() ? "true" : "false";
    case ValueType::string:
      return std::string(value.bytes());
    case ValueType::binary:
      return "<" + std::string(value.bytes()) + ">";
    default:
      return std::string(name_of(value.type()));
  }
}

std::string line_of(const RowMessage& row) {
  std::string line;
  for (const KeyColumn& column : row.key)
    line += (line.empty() ? "" : " ") + std::string(column.name) + "=" + text_of_value(column.value);
  line += " |";
  for (const CellChange& cell : row.cells)
    line += " " + std::string(cell.name) + "=" + text_of_value(cell.value.value_or(Value())) + "@" +
            std::to_string(cell.version.value_or(start_time) - start_time);
  return line;
}

api::Condition condition_of(const Write& write) {
  return {.row_existence = write.expectation, .column_condition = write.condition};
}

template <class Response>
std::string row_or_outcome(const Answer<Response>& answer) {
  if (!answer || !answer->row) return outcome(answer);
  const auto rows = shown(*answer->row);
  return rows.empty() ? "none" : rows.front();
}

}  // namespace

Instance::Instance(std::shared_ptr<kv::Engine> engine)
    : clock_(base::TimePoint(std::chrono::milliseconds(start_time))),
      worlds_(worlds(std::move(engine)), clock_, ids_),
      world_(worlds_.pick("").value()),
      store_(world_->store(face_id, "inst")) {}

Instance::~Instance() {
  const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
  const auto checked = verify_tables(*world_, fail);
  if (!checked) fail(checked.error().message);
}

CellVersion Instance::now() const {
  return clock_.now().time_since_epoch().count() / 1000;
}

void Instance::create(TableMeta meta) {
  if (meta.key.empty()) meta.key = {{"k", ValueType::string}, {"n", ValueType::integer}};
  REQUIRE(store_->catalog().create(meta.name, encode_table(meta)).value());
}

void Instance::create(std::string_view name, TableOptions options) {
  TableMeta meta;
  meta.name = name;
  meta.options = options;
  create(std::move(meta));
}

void Instance::change(std::string_view name, TableOptions options) {
  const Context in = context();
  const auto table = open_table(in, name);
  REQUIRE(table);
  REQUIRE(change_table(in, *table, [&](TableMeta& meta) -> Answer<void> {
    meta.options = options;
    return {};
  }));
}

std::string Instance::put(std::string_view table, const PrimaryKey& key, std::vector<CellChange> cells,
                          const Write& write) {
  const std::string row = bytes_of(key, cells);
  return row_or_outcome(ops::put_row(context(), {.table_name = table,
                                                 .row = row,
                                                 .condition = condition_of(write),
                                                 .return_content = write.returns,
                                                 .transaction_id = write.transaction}));
}

std::string Instance::update(std::string_view table, const PrimaryKey& key, std::vector<CellChange> cells,
                             const Write& write) {
  const std::string row = bytes_of(key, cells);
  return row_or_outcome(ops::update_row(context(), {.table_name = table,
                                                    .row_change = row,
                                                    .condition = condition_of(write),
                                                    .return_content = write.returns,
                                                    .transaction_id = write.transaction}));
}

std::string Instance::remove(std::string_view table, const PrimaryKey& key, const Write& write) {
  const std::string row = bytes_of(key, {}, true);
  return row_or_outcome(ops::delete_row(context(), {.table_name = table,
                                                    .primary_key = row,
                                                    .condition = condition_of(write),
                                                    .return_content = write.returns,
                                                    .transaction_id = write.transaction}));
}

std::string Instance::get(std::string_view table, const PrimaryKey& key, const Read& read) {
  const std::string sent = bytes_of(key);
  const auto reply = ops::get_row(context(), {.table_name = table,
                                              .primary_key = sent,
                                              .columns_to_get = read.columns,
                                              .time_range = read.range,
                                              .max_versions = read.max_versions,
                                              .filter = read.filter,
                                              .start_column = read.start_column,
                                              .end_column = read.end_column,
                                              .transaction_id = read.transaction});
  if (!reply) return outcome(reply);
  const auto rows = shown(reply->row);
  return rows.empty() ? "none" : rows.front();
}

Page Instance::range(std::string_view table, const PrimaryKey& start, const PrimaryKey& end, const Read& read,
                     std::optional<std::int32_t> limit, api::Direction direction) {
  const std::string first = bytes_of(start);
  const std::string last = bytes_of(end);
  const auto reply = ops::get_range(context(), {.table_name = table,
                                                .direction = direction,
                                                .columns_to_get = read.columns,
                                                .time_range = read.range,
                                                .max_versions = read.max_versions,
                                                .limit = limit,
                                                .inclusive_start_primary_key = first,
                                                .exclusive_end_primary_key = last,
                                                .filter = read.filter,
                                                .start_column = read.start_column,
                                                .end_column = read.end_column,
                                                .transaction_id = read.transaction});
  Page page;
  if (!reply) {
    page.next = outcome(reply);
    return page;
  }
  page.rows = shown(reply->rows);
  page.next_bytes = reply->next_start_primary_key.value_or("");
  if (!page.next_bytes.empty()) page.next = shown(page.next_bytes).front();
  page.units = reply->consumed.capacity_unit.read.value_or(0);
  return page;
}

std::string bytes_of(const PrimaryKey& key, const std::vector<CellChange>& cells, bool deletes) {
  std::string bytes;
  plainbuffer::RowWriter(bytes).add(RowMessage{key, cells, deletes});
  return bytes;
}

std::vector<std::string> shown(std::string_view bytes) {
  std::vector<std::string> rows;
  plainbuffer::RowReader reader(bytes);
  while (!bytes.empty() && !reader.at_end()) {
    const auto row = reader.read();
    REQUIRE(row);
    rows.push_back(line_of(*row));
  }
  return rows;
}

std::string compares(std::string_view column, api::ComparatorType comparator, Value value,
                     bool pass_if_missing, bool latest_only) {
  std::string bytes;
  plainbuffer::append_variant(bytes, value);
  const std::string inner = codec::encode_message(
      api::SingleColumnValueFilter{comparator, column, bytes, !pass_if_missing, latest_only});
  return codec::encode_message(api::Filter{api::FilterType::single_column_value, inner});
}

std::string combines(api::LogicalOperator combinator, const std::vector<std::string>& filters) {
  api::CompositeColumnValueFilter composite{combinator};
  for (const std::string& filter : filters)
    composite.sub_filters.push_back(*codec::decode_message<api::Filter>(filter));
  const std::string inner = codec::encode_message(composite);
  return codec::encode_message(api::Filter{api::FilterType::composite_column_value, inner});
}

std::string pages(std::int32_t offset, std::int32_t limit) {
  const std::string inner = codec::encode_message(api::ColumnPaginationFilter{offset, limit});
  return codec::encode_message(api::Filter{api::FilterType::column_pagination, inner});
}

}  // namespace dinette::tablestore::test
