#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/variant.h"
#include "tablestore/table.h"

// Requests that are small to send and could be large to answer, and those of many small parts
// (tablestore/filters.md sections 1 and 2, tablestore/plainbuffer.md section 5, tablestore/rows.md section
// 5).
namespace dinette::tablestore::costs_test {

using namespace test;

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

TEST_CASE("an expression that takes too long for one value is given up for the others") {
  Server server;
  Table table(server);
  const std::string slow(500, 'x');
  table.put(key(1, "a"), {{.name = "s", .value = Value::string(slow)}});
  for (int gid = 2; gid < 100; ++gid) table.put(key(gid, "a"), {{.name = "s", .value = Value::string(slow)}});
  table.put(key(100, "a"), {{.name = "s", .value = Value::string("xxy")}});
  std::string value;
  plainbuffer::append_variant(value, Value::string("xxy"));
  const api::SingleColumnValueFilter filter{
      .comparator = api::ComparatorType::equal,
      .column_name = "s",
      .column_value = value,
      .filter_if_missing = true,
      .latest_version_only = true,
      .value_trans_rule = api::ValueTransferRule{.regex = "(?:x+x+)+y", .cast_type = api::CastType::string}};
  const std::string inner = codec::encode_message(filter);
  const std::string whole =
      codec::encode_message(api::Filter{.type = api::FilterType::single_column_value, .filter = inner});
  CHECK(table.range(key(100, "a"), most(), {.filter = whole}) == "100,a s=xxy");
  CHECK(table.range(least(), most(), {.filter = whole}).empty());  // as if the others had no such column
}

TEST_CASE("filters inside each other are counted before they are read") {
  Server server;
  Table table(server);
  table.put(key(1, "a"), {{.name = "c", .value = Value::integer(1)}});
  const std::string leaf = column_filter(api::ComparatorType::equal, "c", Value::integer(1));
  std::string deep = leaf;
  for (int i = 0; i < 5'000; ++i) deep = composite_filter(api::LogicalOperator::not_, {deep});
  const std::string refused = invalid("The count of filter exceeds the max: 32.");
  CHECK(table.get(key(1, "a"), {.filter = deep}) == refused);
  CHECK(table.put(key(1, "a"), {}, {.filter = deep}) == refused);
  const std::string wide =
      composite_filter(api::LogicalOperator::or_, std::vector<std::string>(90'000, leaf));
  CHECK(table.get(key(1, "a"), {.filter = wide}) == refused);
}

TEST_CASE("rows of more columns than there may be are refused by their number") {
  Server server;
  Table table(server);
  PrimaryKey columns;
  for (int i = 0; i < 100'000; ++i) columns.push_back({"gid", Value::integer(i)});
  const std::string key_range = invalid("The number of primary key columns must be in range: [1, 4].");
  CHECK(table.put(columns, {}) == key_range);
  CHECK(table.get(columns) == key_range);
  CHECK(table.range(columns, most()) == key_range);
  const std::vector<CellChange> cells(200'000, {.name = "c", .value = Value::boolean(true)});
  CHECK(
      table.put(key(1, "a"), cells) ==
      invalid("The number of attribute columns exceeds the limit, limit count: 1024, column count: 200000."));
}

TEST_CASE("columns that are returned are found among many", "[volume]") {
  Server server;
  Table table(server);
  std::deque<std::string> names;
  std::vector<CellChange> cells;
  for (int i = 0; i < 1024; ++i)
    cells.push_back({.name = names.emplace_back("c" + std::to_string(10'000 + i)),
                     .value = Value::integer(i),
                     .operation = CellOperation::increment});
  const std::string row = row_bytes(key(1, "a"), cells);
  api::ReturnContent returned{.return_type = api::ReturnType::rt_after_modify};
  returned.return_column_names.assign(90'000, names.back());
  const auto response = server.ok<api::UpdateRowResponse>(
      "UpdateRow", api::UpdateRowRequest{
                       .table_name = "T", .row_change = row, .condition = {}, .return_content = returned});
  CHECK(text_of_rows(response.row.value()) == "1,a c11023=1023");
}

TEST_CASE("versions of a column are deleted one by one among many", "[volume]") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.table_options = api::TableOptions{.time_to_live = -1, .max_versions = 100'000};
  server.ok<api::CreateTableResponse>("CreateTable", request);
  const CellVersion now = server.clock().now().time_since_epoch().count() / 1000;
  const auto update = [&](std::int64_t from, bool deletes) {
    std::vector<CellChange> cells;
    for (std::int64_t i = from; i < from + 1000; ++i) {
      CellChange& cell = cells.emplace_back(CellChange{.name = "c", .version = now + i});
      if (deletes)
        cell.operation = CellOperation::delete_one_version;
      else
        cell.value = Value::integer(i);
    }
    const std::string row = row_bytes(key(1, "a"), cells);
    return server.refusal("UpdateRow",
                          api::UpdateRowRequest{.table_name = "T", .row_change = row, .condition = {}});
  };
  for (int i = 0; i < 20; ++i) CHECK(update(i * 1000, false) == "200");
  for (int i = 0; i < 19; ++i) CHECK(update(i * 1000, true) == "200");
  const std::string row = row_bytes(key(1, "a"));
  const auto read = server.ok<api::GetRowResponse>(
      "GetRow", api::GetRowRequest{.table_name = "T", .primary_key = row, .max_versions = 100'000});
  const std::string shown = text_of_rows(read.row);
  CHECK(shown.starts_with("1,a c=19999 c=19998 "));
  CHECK(shown.ends_with(" c=19000"));
}

}  // namespace dinette::tablestore::costs_test
