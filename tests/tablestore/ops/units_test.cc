#include <string>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// tablestore/names-limits.md section 5.
namespace dinette::tablestore::units_test {

using namespace test;

/// "read/write" units of a reply.
template <class Response>
std::string units(const Response& response) {
  const api::CapacityUnit& unit = response.consumed.capacity_unit;
  return std::to_string(unit.read.value_or(0)) + "/" + std::to_string(unit.write.value_or(0));
}

std::string units_of_put(Server& server, std::size_t bytes, api::RowExistenceExpectation expectation) {
  const std::string text(bytes, 'x');
  const std::string row = row_bytes(key(1, "a"), {{.name = "c", .value = Value::string(text)}});
  api::PutRowRequest request{.table_name = "T", .row = row, .condition = {.row_existence = expectation}};
  return units(server.ok<api::PutRowResponse>("PutRow", request));
}

TEST_CASE("a unit is 4 KB of the key and the columns, with their names") {
  Server server;
  Table table(server);
  using enum api::RowExistenceExpectation;
  // gid and 8 bytes, uid and 1 byte, c.
  constexpr std::size_t others = 3 + 8 + 3 + 1 + 1;
  CHECK(units_of_put(server, 4096 - others, ignore) == "0/1");
  CHECK(units_of_put(server, 4096 - others + 1, ignore) == "0/2");
  CHECK(units_of_put(server, 1, expect_exist) == "1/1");
  const std::string key_row = row_bytes(key(1, "a"));
  const api::GetRowRequest get{.table_name = "T", .primary_key = key_row, .max_versions = 1};
  CHECK(units(server.ok<api::GetRowResponse>("GetRow", get)) == "1/0");
  units_of_put(server, 5000, ignore);
  CHECK(units(server.ok<api::GetRowResponse>("GetRow", get)) == "2/0");
  const std::string absent = row_bytes(key(9, "a"));
  const api::GetRowRequest get_absent{.table_name = "T", .primary_key = absent, .max_versions = 1};
  CHECK(units(server.ok<api::GetRowResponse>("GetRow", get_absent)) == "1/0");
}

TEST_CASE("reads and writes cost what the service's own clients expect of them") {
  Server server;
  Table table(server);
  const std::string two_kilobytes(2048, 'x');
  const std::string four_kilobytes(4096, 'x');
  const auto cells = [](const std::vector<std::string_view>& names, std::string_view value) {
    std::vector<CellChange> all;
    for (const std::string_view name : names) all.push_back({.name = name, .value = Value::string(value)});
    return all;
  };
  const auto get = [&](const std::vector<std::string_view>& columns) {
    const std::string row = row_bytes(key(1, "a"));
    const api::GetRowRequest request{
        .table_name = "T", .primary_key = row, .columns_to_get = columns, .max_versions = 1};
    return units(server.ok<api::GetRowResponse>("GetRow", request));
  };
  table.put(key(1, "a"), cells({"a", "b", "c", "d", "e"}, two_kilobytes));
  CHECK(get({}) == "3/0");
  CHECK(get({"a", "b"}) == "2/0");
  CHECK(get({"a", "none"}) == "1/0");
  CHECK(get({"none", "neither"}) == "1/0");
  const std::string put_row = row_bytes(key(2, "a"), cells({"a", "b"}, four_kilobytes));
  CHECK(units(server.ok<api::PutRowResponse>(
            "PutRow", api::PutRowRequest{.table_name = "T", .row = put_row, .condition = {}})) == "0/3");
  CHECK(units(server.ok<api::UpdateRowResponse>(
            "UpdateRow", api::UpdateRowRequest{.table_name = "T", .row_change = put_row, .condition = {}})) ==
        "0/3");
  const std::string deletion = row_bytes(key(2, "a"), {}, true);
  CHECK(units(server.ok<api::DeleteRowResponse>(
            "DeleteRow",
            api::DeleteRowRequest{.table_name = "T", .primary_key = deletion, .condition = {}})) == "0/1");
  // Deleted columns count by their names, and a filter saves nothing (tablestore/filters.md section 5).
  const std::string erased =
      row_bytes(key(1, "a"), {{.name = "none", .operation = CellOperation::delete_all_versions}});
  CHECK(units(server.ok<api::UpdateRowResponse>(
            "UpdateRow", api::UpdateRowRequest{.table_name = "T", .row_change = erased, .condition = {}})) ==
        "0/1");
  const std::string row = row_bytes(key(1, "a"));
  const std::string filter = column_filter(api::ComparatorType::equal, "a", Value::integer(1));
  CHECK(units(server.ok<api::GetRowResponse>(
            "GetRow",
            api::GetRowRequest{
                .table_name = "T", .primary_key = row, .max_versions = 1, .filter = filter})) == "3/0");
}

TEST_CASE("conditions and deletions cost the key, which may have more than 4 KB") {
  Server server;
  std::vector<api::PrimaryKeySchema> columns;
  PrimaryKey four;
  const std::string longest(1024, 'x');
  for (const char* const name : {"a", "b", "c", "d"}) {
    columns.push_back({.name = name, .type = api::PrimaryKeyType::string});
    four.push_back({name, Value::string(longest)});
  }
  server.create("K", columns);
  const std::string row = row_bytes(four);
  using enum api::RowExistenceExpectation;
  const auto put = [&](api::RowExistenceExpectation expectation) {
    return units(server.ok<api::PutRowResponse>(
        "PutRow",
        api::PutRowRequest{.table_name = "K", .row = row, .condition = {.row_existence = expectation}}));
  };
  CHECK(put(ignore) == "0/2");
  CHECK(put(expect_exist) == "2/2");
  const std::string marked = row_bytes(four, {}, true);
  const auto erase = [&](api::RowExistenceExpectation expectation) {
    return units(server.ok<api::DeleteRowResponse>(
        "DeleteRow",
        api::DeleteRowRequest{
            .table_name = "K", .primary_key = marked, .condition = {.row_existence = expectation}}));
  };
  CHECK(erase(expect_exist) == "2/2");
  CHECK(erase(expect_not_exist) == "2/2");
  CHECK(erase(ignore) == "0/2");
}

TEST_CASE("a cell that is read costs its version too if there may be several, or it may expire") {
  Server server;
  // gid and 8 bytes, uid and 1 byte, c.
  constexpr std::size_t others = 3 + 8 + 3 + 1 + 1;
  const std::string text(4096 - others, 'x');
  const auto units_with = [&](std::string_view name, std::int32_t time_to_live, std::int32_t max_versions) {
    api::CreateTableRequest creation = table_of(name);
    creation.table_options = api::TableOptions{.time_to_live = time_to_live, .max_versions = max_versions};
    server.ok<api::CreateTableResponse>("CreateTable", creation);
    const std::string row = row_bytes(key(1, "a"), {{.name = "c", .value = Value::string(text)}});
    server.ok<api::PutRowResponse>("PutRow",
                                   api::PutRowRequest{.table_name = name, .row = row, .condition = {}});
    const std::string key_row = row_bytes(key(1, "a"));
    return units(server.ok<api::GetRowResponse>(
        "GetRow", api::GetRowRequest{.table_name = name, .primary_key = key_row, .max_versions = 1}));
  };
  CHECK(units_with("plain", -1, 1) == "1/0");
  CHECK(units_with("versions", -1, 2) == "2/0");
  CHECK(units_with("expiring", 86'400, 1) == "2/0");
}

TEST_CASE("ranges cost the rows that they have read, together") {
  Server server;
  Table table(server);
  const std::string text(4096, 'x');
  std::vector<CellChange> cells;
  for (const char* const name : {"a", "b", "c"})
    cells.push_back({.name = name, .value = Value::string(text)});
  const std::string begin = row_bytes(least());
  const std::string end = row_bytes(most());
  const auto range = [&](const std::vector<std::string_view>& columns) {
    api::GetRangeRequest request{.table_name = "T", .columns_to_get = columns, .max_versions = 1};
    request.inclusive_start_primary_key = begin;
    request.exclusive_end_primary_key = end;
    return units(server.ok<api::GetRangeResponse>("GetRange", request));
  };
  table.put(key(1, "a"), cells);
  CHECK(range({}) == "4/0");
  table.put(key(2, "a"), cells);
  CHECK(range({}) == "7/0");
  CHECK(range({"a", "b"}) == "5/0");
  CHECK(range({"none"}) == "1/0");
}

TEST_CASE("a range costs what it has read, once") {
  Server server;
  Table table(server);
  const std::string begin = row_bytes(least());
  const std::string end = row_bytes(most());
  api::GetRangeRequest request{.table_name = "T", .max_versions = 1};
  request.inclusive_start_primary_key = begin;
  request.exclusive_end_primary_key = end;
  CHECK(units(server.ok<api::GetRangeResponse>("GetRange", request)) == "1/0");
  const std::string text(3000, 'x');
  for (const char* uid : {"a", "b", "c"})
    table.put(key(1, uid), {{.name = "c", .value = Value::string(text)}});
  CHECK(units(server.ok<api::GetRangeResponse>("GetRange", request)) == "3/0");
}

}  // namespace dinette::tablestore::units_test
